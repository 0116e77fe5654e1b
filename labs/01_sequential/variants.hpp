// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/variant/convolver.hpp"

namespace convolab {

extern const Variant nested, flat, bounds, aos, soa, separable, simd, fft;

}  // namespace convolab
