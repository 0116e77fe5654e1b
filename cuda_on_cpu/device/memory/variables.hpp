// SPDX-License-Identifier: MIT
// The program's __device__ and __constant__ variables by their names. On a GPU the host has a
// separate copy of each, which kernels do not see; here both are one variable. So the emulator
// notices what the host writes into a small one, and hides it from kernels.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "finding/finding.hpp"

namespace cuda_on_cpu {

struct Variable {
    char* begin;
    std::size_t bytes;
    const char* name;
    bool is_constant;   ///< __constant__
    bool is_set;        ///< its definition gives it a value
    bool is_read_only;  ///< const: the host may use its value
};

/// Whether the address is in a __managed__ variable.
bool is_managed_variable(const void* address);
/// The variable that contains the address, or nullptr.
const Variable* find_variable(const void* address);
bool any_variable(const std::function<bool(const Variable&)>& is_it);
/// ", which is the host's copy of c_taps, a __constant__ variable" for the address of its name. The
/// device's is the same here, so only until cudaGetSymbolAddress has given it; else empty.
Finding host_copy_at(const void* address);
/// "d_sums, a __device__ variable"
std::string describe(const Variable& variable);
/// Reports once for each variable that the host writes it. `place` is " at lab.cu:12" or empty.
void report_host_write(const Variable& variable, const Finding& place);

/// "4 bytes past the end of d_sums, a __device__ variable of 16 bytes" for an address in the guards
/// beside it; else empty.
Finding describe_outside_variable(const char* address);
/// "c_taps, a __constant__ variable, which kernels can only read" for an address in it; else empty.
Finding constant_at(const char* address);

/// Called before and after the device works; in between the variables have the device's values.
void begin_device_values();
void end_device_values();
/// Gives them the values of a new device.
void renew_device_values();

}  // namespace cuda_on_cpu
