// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What a launch needs to know of its kernel.
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

/// Bytes of dynamic shared memory that a launch may ask for: 48 KiB, or what cudaFuncSetAttribute
/// has allowed.
std::size_t dynamic_limit(const void* kernel);

}  // namespace cuda_on_cpu
