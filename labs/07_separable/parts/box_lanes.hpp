// SPDX-License-Identifier: MIT
// How the lanes of a warp of `running_sums` share a row in shared memory. Each lane adds up the
// columns under its own bytes. It writes the output that begins kShift bytes to the left of them,
// so that all neighbours that it needs are on its left. The first lanes have too few neighbours,
// and write nothing.
//
//     row     |pad|lane 0|lane 1|lane 2| . . . |lane 31|pad|
//     output         |lane 2|lane 3| . . . |lane 31|            with two idle lanes
#pragma once

#include <cuda_runtime.h>

namespace convolab::separable {

inline constexpr int kVectorBytes = 16;  // of copies between global and shared memory

template <int channels, int ksize>
class BoxLanes {
  public:
    static constexpr int kChannels = channels, kKsize = ksize;
    static constexpr int kReach = channels * (ksize / 2);  ///< bytes to the farthest neighbour
    static constexpr int kLaneBytes = 24;
    static constexpr int kLaneWords = kLaneBytes / 4;

  private:
    using Part = uint2;  // a lane loads and stores three at a time
    static constexpr auto kPartBytes = static_cast<int>(sizeof(Part));
    static constexpr int kTwo = 2 * kLaneBytes;  // a multiple of kVectorBytes

  public:
    static constexpr int kShift = (kReach + kPartBytes - 1) / kPartBytes * kPartBytes;
    static constexpr int kIdle = (kReach + kShift + kTwo - 1) / kTwo * 2;
    static constexpr int kOutBytes = (32 - kIdle) * kLaneBytes;
    // Where lane 0 and the output begin in a row. The output begins with a vector.
    static constexpr int kFirst = (kIdle * kLaneBytes + kShift) % kVectorBytes;
    static constexpr int kFirstOut = kFirst + kIdle * kLaneBytes - kShift;
    static constexpr int kRowVectors = (kFirst + 32 * kLaneBytes + kVectorBytes - 1) / kVectorBytes;
    static constexpr int kRowBytes = kRowVectors * kVectorBytes;

    static __device__ int lane() { return static_cast<int>(threadIdx.x); }

    /// A lane's bytes of a row.
    struct alignas(Part) Bytes {
        unsigned words[kLaneWords];

        __device__ Part* parts() { return reinterpret_cast<Part*>(words); }
    };
    static __device__ __forceinline__ Bytes load(unsigned char* s_row) {
        Bytes bytes;
        const Part* s_mine = parts_at(s_row);
#pragma unroll
        for (int i = 0; i < 3; ++i) bytes.parts()[i] = s_mine[i];
        return bytes;
    }
    static __device__ __forceinline__ void store_output(unsigned char* s_row, Bytes out) {
        if (lane() < kIdle) return;
        Part* s_mine = parts_at(s_row - kShift);
#pragma unroll
        for (int i = 0; i < 3; ++i) s_mine[i] = out.parts()[i];
    }

  private:
    static __device__ Part* parts_at(unsigned char* s_row) {
        return reinterpret_cast<Part*>(s_row + kFirst + kLaneBytes * lane());
    }
};

}  // namespace convolab::separable
