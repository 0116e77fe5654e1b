// SPDX-License-Identifier: MIT
// The special registers that CUDA C++ has no name for: programs read them by inline PTX, which
// translate/ makes a call of these.
#pragma once

#include "intrinsics.hpp"
#include "keywords.hpp"
#include "warp.hpp"

namespace cuda_on_cpu::ptx {

inline unsigned laneid() { return lane_number(); }
inline unsigned warpid() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
inline unsigned smid() { return 0; }  // one block runs at a time
inline unsigned lanemask_eq() { return 1U << laneid(); }
inline unsigned lanemask_lt() { return lanemask_eq() - 1; }
inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline unsigned lanemask_gt() { return ~lanemask_le(); }
inline unsigned lanemask_ge() { return ~lanemask_lt(); }
inline unsigned clock() { return static_cast<unsigned>(::clock64()); }
inline unsigned long long clock64() { return static_cast<unsigned long long>(::clock64()); }
inline unsigned long long globaltimer() { return clock64(); }

}  // namespace cuda_on_cpu::ptx
