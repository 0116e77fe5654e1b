// SPDX-License-Identifier: MIT
#pragma once

#include "device/mistakes/observer.hpp"

namespace cuda_on_cpu {

/// Hands an access to the observer.
void record(const void* address, std::size_t bytes, Access::Kind kind, const void* code);

/// The program's observer, made when it starts: whoever links this folder defines it.
Observer* create_observer();

}  // namespace cuda_on_cpu
