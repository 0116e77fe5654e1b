// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

namespace cuda_on_cpu {

/// The whole number that an environment variable holds, `standard` where it is not set or empty. Ends
/// the program with exit code 2 and a sentence where it is none from `least` to `most`.
long setting(const char* name, long standard, long least, long most);

}  // namespace cuda_on_cpu
