// SPDX-License-Identifier: MIT
// common/cuda: the properties of the device, checked calls, and memory that frees itself.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "common/cuda/backend.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/launch_shape.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"
#include "tests/catch.hpp"

namespace convolab {

TEST_CASE("the device describes itself", "[cuda]") {
    const DeviceInfo info = device_info();
    CHECK(device_count() >= 1);
    CHECK_FALSE(info.name.empty());
    CHECK(info.driver.find('.') != std::string::npos);
    CHECK(info.compute_capability >= 50);
#ifdef CUDA_ON_CPU
    CHECK(info.name == "CUDA on the CPU");
    CHECK(info.driver == "13.0");
    CHECK(info.compute_capability == 90);
#endif
}

#ifdef CUDA_ON_CPU  // a GPU cannot be hidden once the program uses it
TEST_CASE("a hidden device is Skipped, with what to do", "[cuda]") {
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    CHECK(device_count() == 0);
    CHECK_THROWS_AS(require_device(), Skipped);
    CHECK_THROWS_AS(DeviceBuffer<int>(1), Skipped);
    std::string why;
    try {
        device_info();
    } catch (const Skipped& e) {
        why = e.what();
    }
    CHECK(why.find("no CUDA-capable device is detected (cudaErrorNoDevice)") != std::string::npos);
    CHECK(why.find("use a machine with an NVIDIA GPU") != std::string::npos);
    unsetenv("CUDA_VISIBLE_DEVICES");
    cudaGetLastError();
}
#endif

TEST_CASE("a failed check names the call, the line and CUDA's message, and clears the error",
          "[cuda]") {
    int line = 0;
    try {
        line = __LINE__ + 1;
        CUDA_CHECK(cudaSetDevice(1000));
        FAIL("nothing was thrown");
    } catch (const Skipped&) {
        FAIL("the program is to blame, not the machine");
    } catch (const Error& e) {
        CHECK(std::string(e.what()) == "cudaSetDevice(1000) failed at " __FILE__ ":" +
                                           std::to_string(line) +
                                           ": invalid device ordinal (cudaErrorInvalidDevice).");
    }
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("memory that cannot be allocated is Skipped", "[cuda]") {
    CHECK_THROWS_AS(DeviceBuffer<int>(std::size_t{1} << 50), Skipped);
    CHECK_THROWS_AS(DeviceBuffer<int>(SIZE_MAX / 2), Skipped);
    CHECK_THROWS_AS(PinnedBuffer<int>(SIZE_MAX / 2), Skipped);
}

TEST_CASE("a tile that fits on other GPUs is no failure of verify", "[cuda]") {
    const auto what = [](std::size_t bytes) {
        try {
            PreparedKernel::check_shared_bytes(bytes, 64 * 1024);
        } catch (const OverLimit&) {
            return "over the limit of every GPU";
        } catch (const Unsupported&) {
            return "unsupported";
        }
        return "fits";
    };
    CHECK(what(64 * 1024) == std::string("fits"));
    CHECK(what(93248) == std::string("unsupported"));  // lab 07's fused, K = 31, B = 32
    CHECK(what(227 * 1024 + 1) == std::string("over the limit of every GPU"));
}

TEST_CASE("buffers move, and free once", "[cuda]") {
    DeviceBuffer<int> a(10), b;
    int* const pointer = a.data();
    b = std::move(a);
    CHECK(b.data() == pointer);
    CHECK(b.bytes() == 40);
    const DeviceBuffer<int> c(std::move(b));
    CHECK(c.data() == pointer);
    CHECK(DeviceBuffer<int>(0).data() == nullptr);
    PinnedBuffer<char> p(3);
    for (char& value : p) value = 'x';
    CHECK(p[2] == 'x');
}

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
