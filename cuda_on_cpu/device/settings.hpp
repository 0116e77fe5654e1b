// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

namespace cuda_on_cpu {

/// The whole number in an environment variable; `standard` where it is not set or empty. Ends the
/// program with exit code 2 and a sentence where it is not a number from `minimum` to `maximum`.
long setting(const char* name, long standard, long minimum, long maximum);

}  // namespace cuda_on_cpu
