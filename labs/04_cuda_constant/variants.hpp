// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/variant/convolver.hpp"

namespace convolab::cuda_constant {

extern const Variant padded, gray, aos, soa, unrolled;

}  // namespace convolab::cuda_constant
