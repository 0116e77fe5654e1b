// SPDX-License-Identifier: MIT
// Whether a variant's run() leaves work that the default stream does not wait for, which makes
// kernel_ms too short. For variants whose run() copies nothing.
#pragma once

#include "common/driver/repeat.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

inline bool leaves_work(Convolver& convolver, Backend& backend) {
    static_cast<void>(output_of(convolver));
    convolver.poison();  // waits for earlier work
    convolver.poison();
    convolver.download();
    const Image blank = convolver.result().copy();
    convolver.upload();
    convolver.run();
    backend.time_ms([] {});
    convolver.poison();  // overwrites the results of earlier work, but not of later work
    convolver.download();
    return !compare(convolver.result(), blank).identical();
}

}  // namespace convolab
