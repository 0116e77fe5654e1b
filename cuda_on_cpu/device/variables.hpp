// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The program's __device__ and __constant__ variables by their names. On a GPU the host has a copy
// of its own by that name, which kernels do not see; here both are one variable. So what the host
// writes into a small one is noticed, and kept away from kernels.
#pragma once

#include <cstddef>
#include <string>

namespace cuda_on_cpu {

struct Variable {
    char* begin;
    std::size_t bytes;
    const char* name;
    bool is_constant;   ///< __constant__
    bool is_set;        ///< its definition gives it a value
    bool is_read_only;  ///< const: the host may use its value
};

/// The variable that contains the address; nullptr: none does.
const Variable* find_variable(const void* address);
/// "d_sums, a __device__ variable"
std::string describe(const Variable& variable);
/// Says that the host writes it: " at lab.cu:12", or nothing. Once for each variable.
void tell_host_writes(const Variable& variable, const std::string& place);

/// "4 bytes past the end of d_sums, a __device__ variable of 16 bytes", of an address in the guards
/// beside it; else nothing.
std::string beside_variable(const char* address);
/// "c_taps, a __constant__ variable, which kernels can only read", of an address in it; else
/// nothing.
std::string constant_at(const char* address);
/// A kernel begins; what it has written beside variables since, or into constants, as above.
void keep_constants();
std::string damage_of_variables();

/// Before and after the device works: the variables have its values meanwhile.
void begin_device_values();
void end_device_values();
/// They have the values of a new device.
void renew_device_values();

}  // namespace cuda_on_cpu
