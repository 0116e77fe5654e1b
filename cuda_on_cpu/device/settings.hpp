// SPDX-License-Identifier: MIT
#pragma once

namespace cuda_on_cpu {

/// The whole number in an environment variable, or `standard` if it is not set or empty. If it is
/// not a number from `minimum` to `maximum`, the program ends with a message and exit code 2.
long setting(const char* name, long standard, long minimum, long maximum);

}  // namespace cuda_on_cpu
