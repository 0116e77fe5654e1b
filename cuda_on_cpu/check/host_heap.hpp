// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace cuda_on_cpu::check {

/// How many bytes follow the address in the host's memory of malloc or new; SIZE_MAX where it is
/// in none that is known.
std::size_t host_bytes_left(const void* address);

}  // namespace cuda_on_cpu::check
