// SPDX-License-Identifier: MIT
// RGB pixels of two frames by one warp: 96 vectors of each frame. Pixels are 3 bytes and the device
// loads 4, 8 or 16, so a lane does not compute the pixels that it loads. With vectors of 8 bytes,
// which are 256 pixels:
//
//     768 bytes of each frame    lane i loads vectors i, i + 32, i + 64. Coalesced. All six loads
//                                are on their way before one has arrived: the lane waits for memory
//                                once. Differences need no pixels.
//     shared memory              the 768 differences
//     256 pixels                 lane i reads 24 of them, which are 8 pixels, and computes
//     shared memory              the output, 24 bytes from each lane
//     768 bytes                  lane i stores vectors i, i + 32, i + 64
//
// With 16 bytes all of it doubles. Then a warp that has waited for memory has twice as much to
// compute before it can store; there are half as many warps, which is better for a kernel that does
// something once per warp.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace convolab {

inline constexpr int kWarp = 32;
inline constexpr int kLaneVectors = 3;                     ///< that a lane loads of each frame
inline constexpr int kWarpVectors = kLaneVectors * kWarp;  ///< per frame
template <class Vector>
inline constexpr int kPixelsOfLane = sizeof(Vector);  ///< 3 vectors of bytes, 3 bytes per pixel
template <class Vector>
inline constexpr int kPixelsOfWarp = kWarp* kPixelsOfLane<Vector>;

/// |a - b| of 8 or 16 bytes.
__device__ inline uint2 distance(uint2 a, uint2 b) {
    return make_uint2(__vabsdiffu4(a.x, b.x), __vabsdiffu4(a.y, b.y));
}
__device__ inline uint4 distance(uint4 a, uint4 b) {
    return make_uint4(__vabsdiffu4(a.x, b.x), __vabsdiffu4(a.y, b.y), __vabsdiffu4(a.z, b.z),
                      __vabsdiffu4(a.w, b.w));
}

/// What a lane loads of each frame.
template <class Vector>
struct LaneVectors {
    Vector previous[kLaneVectors], current[kLaneVectors];
};

template <class Vector>
__device__ LaneVectors<Vector> load_vectors(const std::uint8_t* d_previous,
                                            const std::uint8_t* d_current, int group) {
    LaneVectors<Vector> v;
    const int first = group * kWarpVectors + threadIdx.x % kWarp;
#pragma unroll
    for (int i = 0; i < kLaneVectors; ++i) {
        v.previous[i] = reinterpret_cast<const Vector*>(d_previous)[first + i * kWarp];
        v.current[i] = reinterpret_cast<const Vector*>(d_current)[first + i * kWarp];
    }
    return v;
}

/// The pixels that a lane computes, four in three words.
template <class Vector>
struct alignas(Vector) LanePixels {
    unsigned fours[kPixelsOfLane<Vector> / 4][3];
    __device__ Vector* vectors() { return reinterpret_cast<Vector*>(fours); }
    __device__ const Vector* vectors() const { return reinterpret_cast<const Vector*>(fours); }
};

/// The differences of the pixels that the warp loaded: those of this lane. s_bytes: kWarpVectors
/// vectors of shared memory, of this warp alone.
template <class Vector>
__device__ LanePixels<Vector> differences(const LaneVectors<Vector>& v, Vector* s_bytes) {
    const int lane = threadIdx.x % kWarp;
#pragma unroll
    for (int i = 0; i < kLaneVectors; ++i) {
        s_bytes[lane + i * kWarp] = distance(v.previous[i], v.current[i]);
    }
    __syncwarp();
    LanePixels<Vector> pixels;
#pragma unroll
    for (int i = 0; i < kLaneVectors; ++i) {
        pixels.vectors()[i] = s_bytes[kLaneVectors * lane + i];
    }
    __syncwarp();  // before s_bytes is written again
    return pixels;
}

/// The output of the warp's pixels, those from kPixelsOfWarp `group` on.
template <class Vector>
__device__ void store_pixels(std::uint8_t* d_out, int group, Vector* s_bytes,
                             const LanePixels<Vector>& pixels) {
    const int lane = threadIdx.x % kWarp;
#pragma unroll
    for (int i = 0; i < kLaneVectors; ++i) {
        s_bytes[kLaneVectors * lane + i] = pixels.vectors()[i];
    }
    __syncwarp();
    Vector* d_vectors = reinterpret_cast<Vector*>(d_out) + group * kWarpVectors + lane;
#pragma unroll
    for (int i = 0; i < kLaneVectors; ++i) d_vectors[i * kWarp] = s_bytes[lane + i * kWarp];
    __syncwarp();  // before s_bytes is written again
}

/// From vectors to the output; four_pixels(unsigned (&words)[3]) makes the output of four pixels,
/// three words, of the differences of their bytes.
template <class Vector, class FourPixels>
__device__ void map_pixels(const LaneVectors<Vector>& v, std::uint8_t* d_out, int group,
                           Vector* s_bytes, const FourPixels& four_pixels) {
    LanePixels<Vector> pixels = differences(v, s_bytes);
#pragma unroll
    for (auto& words : pixels.fours) four_pixels(words);
    store_pixels(d_out, group, s_bytes, pixels);
}

}  // namespace convolab
