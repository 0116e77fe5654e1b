// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What rates on a GPU are compared with: the fastest copy of an 8K RGB picture in its memory, and
// the bus. Both throw Error where a call fails.
#pragma once

#include <cuda_runtime.h>

#include "common/variant/backend.hpp"

namespace convolab {

/// The faster of the runtime's copy and ours.
CopySpeed fastest_copy_on_device();
/// On the host's clock, which several devices share; so many copies that its calls do not count.
BusSpeed speed_of_bus(int devices);

/// Whether this program has machine code for the GPU: cudaErrorInvalidDeviceFunction where not.
cudaError_t find_machine_code();

}  // namespace convolab
