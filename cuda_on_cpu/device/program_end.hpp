// SPDX-License-Identifier: MIT
// Reports when the program ends: work that never ran, results that were never used, and errors that
// the program did not check.
#pragma once

namespace cuda_on_cpu {

/// Called when the program asks for errors: it then knows about those of earlier, unchecked calls.
void forget_unchecked();

}  // namespace cuda_on_cpu
