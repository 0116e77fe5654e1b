// SPDX-License-Identifier: MIT
#include "common/cuda/backend.hpp"
#include "common/cuda/stream.hpp"
#include "tests/catch.hpp"

namespace convolab {

TEST_CASE("an EventTimer measures a stream; in the emulator no time passes", "[cuda]") {
    const Stream stream;
    EventTimer timer;
    timer.start(stream.get());
    timer.stop(stream.get());
    const float ms = timer.milliseconds();
    CHECK(ms >= 0);
    if (!gpu_backend().is_timed()) CHECK(ms == 0);
}

TEST_CASE("event_ms: the host queues the work before the device begins with it", "[cuda]") {
    if (!gpu_backend().is_timed())
        SKIP_TEST("The emulator finishes each launch before it returns.");
    event_ms([] {});  // the first launch loads the kernel
    bool device_was_busy = false;
    event_ms([&] { device_was_busy = cudaStreamQuery(nullptr) == cudaErrorNotReady; });
    CHECK(device_was_busy);
}

}  // namespace convolab
