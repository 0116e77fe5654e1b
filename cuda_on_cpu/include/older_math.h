// SPDX-License-Identifier: MIT
// A program of C++17 or older may have a function lerp, which C++20's headers have, too. For such a
// program cuda-on-cpu includes this file before all others.
#pragma once

#include "checked_calls.hpp"

#ifdef CUDA_ON_CPU_CXX17
#define lerp lerp_of_cxx20
#include <math.h>

#include <cmath>
#undef lerp
#endif
