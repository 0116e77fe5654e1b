// SPDX-License-Identifier: MIT
// Rows that begin at any address. Copies to shared memory move 16 bytes, from a multiple of 16 to a
// multiple of 16. So they start at the multiple of 16 before the row. Stores to global memory are
// made of bytes of two lanes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace convolab {

/// The bytes from the multiple of 16 before an address to the address: 0 .. 15.
__host__ __device__ __forceinline__ int past_16(const unsigned char* d_at) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(d_at) % 16);
}

/// Stores the first `count` bytes of a word, 0 .. 4, at any address.
__device__ __forceinline__ void store_bytes(unsigned char* d_to, unsigned word, int count) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (i < count) d_to[i] = static_cast<unsigned char>(word >> (8 * i));
}

/// Loads words from any address in shared memory, and reads the word after them, too.
template <int count>
__device__ __forceinline__ void load_words(unsigned (&words)[count], const unsigned char* s_from) {
    const int past = past_16(s_from) % 4;
    const auto* s_words = reinterpret_cast<const unsigned*>(s_from - past);
    unsigned low = s_words[0];
#pragma unroll
    for (int i = 0; i < count; ++i) {
        const unsigned high = s_words[i + 1];
        words[i] = __funnelshift_r(low, high, 8 * past);
        low = high;
    }
}

/// The lanes of a warp have 16 bytes each, side by side. Each takes the 16 bytes that begin `past`
/// bytes before its own, 1 .. 15.
__device__ __forceinline__ void take_earlier(unsigned (&words)[4], int past) {
    unsigned both[8];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        both[i] = __shfl_up_sync(~0U, words[i], 1);
        both[4 + i] = words[i];
    }
    const int from = 16 - past;
#pragma unroll
    for (int i = 0; i < 6; ++i) both[i] = from & 8 ? both[i + 2] : both[i];
#pragma unroll
    for (int i = 0; i < 5; ++i) both[i] = from & 4 ? both[i + 1] : both[i];
#pragma unroll
    for (int i = 0; i < 4; ++i) words[i] = __funnelshift_r(both[i], both[i + 1], 8 * (from % 4));
}

/// Stores bytes first .. end - 1 of 16, whose place begins at d_to, a multiple of 16. Bytes before 0
/// and after 15 do not exist.
__device__ __forceinline__ void store_16(unsigned char* d_to, const unsigned (&words)[4], int first,
                                         int end) {
    if (first <= 0 && end >= 16) {
        *reinterpret_cast<uint4*>(d_to) = make_uint4(words[0], words[1], words[2], words[3]);
        return;
    }
#pragma unroll 1  // short code, because it is in every loop
    for (int i = max(first, 0); i < min(end, 16); ++i) {
        const unsigned low = i % 8 < 4 ? words[0] : words[1];
        const unsigned high = i % 8 < 4 ? words[2] : words[3];
        d_to[i] = static_cast<unsigned char>((i < 8 ? low : high) >> (8 * (i % 4)));
    }
}

}  // namespace convolab
