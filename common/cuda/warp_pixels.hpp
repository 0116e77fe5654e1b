// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// 512 RGB pixels of two frames by one warp. Pixels are 3 bytes and the device loads 4, 8 or 16, so
// a lane does not compute the pixels that it loads:
//
//     1536 bytes of each frame   96 vectors of 16 bytes: lane i loads vectors i, i + 32, i + 64.
//                                Coalesced. All six loads are on their way before one has arrived:
//                                the lane waits for memory once. Differences need no pixels.
//     shared memory              the 1536 differences
//     512 pixels                 lane i reads 48 of them, which are 16 pixels, and computes
//     shared memory              the output, 48 bytes from each lane
//     1536 bytes                 lane i stores vectors i, i + 32, i + 64
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda/loops.hpp"

namespace convolab {

inline constexpr int kWarp = 32;
inline constexpr int kWarpPixels = 512;
inline constexpr int kWarpVectors = 3 * kWarpPixels / 16;  ///< per frame

/// |a - b| of 16 bytes.
__device__ inline uint4 distance(uint4 a, uint4 b) {
    return make_uint4(__vabsdiffu4(a.x, b.x), __vabsdiffu4(a.y, b.y), __vabsdiffu4(a.z, b.z),
                      __vabsdiffu4(a.w, b.w));
}

/// What a lane loads of each frame.
inline constexpr int kLaneVectors = kWarpVectors / kWarp;
struct LaneVectors {
    uint4 previous[kLaneVectors], current[kLaneVectors];
};

__device__ inline LaneVectors load_vectors(const std::uint8_t* d_previous,
                                           const std::uint8_t* d_current, int group) {
    LaneVectors v;
    const int first = group * kWarpVectors + threadIdx.x % kWarp;
    UNROLL for (int i = 0; i < kLaneVectors; ++i) {
        v.previous[i] = reinterpret_cast<const uint4*>(d_previous)[first + i * kWarp];
        v.current[i] = reinterpret_cast<const uint4*>(d_current)[first + i * kWarp];
    }
    return v;
}

/// The 16 pixels of a lane, four in three words.
using LaneWords = unsigned[4][3];

/// The differences of the pixels that the warp loaded: w gets this lane's. s_bytes: kWarpVectors
/// vectors of shared memory, of this warp alone.
__device__ inline void differences(const LaneVectors& v, uint4* s_bytes, LaneWords& w) {
    const int lane = threadIdx.x % kWarp;
    UNROLL for (int i = 0; i < kLaneVectors; ++i) {
        s_bytes[lane + i * kWarp] = distance(v.previous[i], v.current[i]);
    }
    __syncwarp();
    const uint4 a = s_bytes[3 * lane], b = s_bytes[3 * lane + 1], c = s_bytes[3 * lane + 2];
    const LaneWords words = {{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.x}, {c.y, c.z, c.w}};
    UNROLL for (int i = 0; i < 12; ++i) w[i / 3][i % 3] = words[i / 3][i % 3];
    __syncwarp();  // before s_bytes is written again
}

/// The output of the pixels from 512 `group` on: w is this lane's.
__device__ inline void store_pixels(std::uint8_t* d_out, int group, uint4* s_bytes,
                                    const LaneWords& w) {
    const int lane = threadIdx.x % kWarp;
    s_bytes[3 * lane] = make_uint4(w[0][0], w[0][1], w[0][2], w[1][0]);
    s_bytes[3 * lane + 1] = make_uint4(w[1][1], w[1][2], w[2][0], w[2][1]);
    s_bytes[3 * lane + 2] = make_uint4(w[2][2], w[3][0], w[3][1], w[3][2]);
    __syncwarp();
    uint4* d_vectors = reinterpret_cast<uint4*>(d_out) + group * kWarpVectors + lane;
    UNROLL for (int i = 0; i < kLaneVectors; ++i) {
        __stcs(&d_vectors[i * kWarp], s_bytes[lane + i * kWarp]);  // leaves frames in L2
    }
    __syncwarp();  // before s_bytes is written again
}

/// From vectors to the output; four_pixels(unsigned (&words)[3]) makes the output of four pixels,
/// three words, of the differences of their bytes.
template <class FourPixels>
__device__ inline void map_512_pixels(const LaneVectors& v, std::uint8_t* d_out, int group,
                                      uint4* s_bytes, const FourPixels& four_pixels) {
    LaneWords w;
    differences(v, s_bytes, w);
    UNROLL for (auto& words : w) four_pixels(words);
    store_pixels(d_out, group, s_bytes, w);
}

}  // namespace convolab
