// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Warps: 32 threads of a block with consecutive numbers x + size.x * (y + size.y * z). A warp
// function waits until every thread that the mask names, of those that the block has, is in the
// same function with the same mask. A lane that takes no part has the value 0xff..ff.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "keywords.hpp"

namespace cuda_on_cpu {

enum class WarpFunction { sync, shuffle, ballot, any, all, match, reduce, coalesce };

/// What the lanes brought along, valid until this thread's next warp function.
struct WarpValues {
    const std::uint64_t* value;  ///< 32 lanes
    unsigned present;            ///< one bit for each lane that took part
};
WarpValues exchange(WarpFunction function, const char* name, unsigned mask, std::uint64_t value,
                    const char* file, int line);
unsigned active_mask();
/// The lanes that come to this call together, of those that are in the same branch.
unsigned coalesced_lanes(const char* file, int line);
unsigned lane_number();

/// The values of all lanes of the mask, by lane; of any type that can be copied byte by byte.
template <class T>
struct LaneValues {
    T value[32];
    unsigned present;
};
template <class T>
inline LaneValues<T> gather(const char* name, unsigned mask, const T& value, const char* file,
                            int line) {
    static_assert(std::is_trivially_copyable_v<T>);
    LaneValues<T> all;
    for (std::size_t at = 0; at < sizeof(T); at += 8) {
        const std::size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
        std::uint64_t word = 0;
        std::memcpy(&word, reinterpret_cast<const char*>(&value) + at, bytes);
        const WarpValues lanes = exchange(WarpFunction::reduce, name, mask, word, file, line);
        for (unsigned lane = 0; lane < 32; ++lane)
            if ((lanes.present >> lane & 1U) != 0)
                std::memcpy(reinterpret_cast<char*>(&all.value[lane]) + at, &lanes.value[lane],
                            bytes);
        all.present = lanes.present;
    }
    return all;
}

template <class T>
concept Shuffled = std::is_arithmetic_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

template <Shuffled T>
inline T shuffle(const char* name, unsigned mask, T value, unsigned source, const char* file,
                 int line) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    const WarpValues lanes = exchange(WarpFunction::shuffle, name, mask, bits, file, line);
    bits = (lanes.present >> source & 1U) != 0 ? lanes.value[source] : ~std::uint64_t{0};
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

template <class Function>
inline unsigned reduce(const char* name, unsigned mask, unsigned value, const char* file, int line,
                       Function combine) {
    const WarpValues lanes = exchange(WarpFunction::reduce, name, mask, value, file, line);
    unsigned result = value;  // this lane's own value, then every other lane's
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lane != lane_number())
            result = combine(result, static_cast<unsigned>(lanes.value[lane]));
    return result;
}

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncwarp(unsigned mask = 0xffffffffU, CUDA_ON_CPU_HERE) {
    cuda_on_cpu::exchange(cuda_on_cpu::WarpFunction::sync, "__syncwarp", mask, 0, file, line);
}
inline unsigned __activemask() { return cuda_on_cpu::active_mask(); }

// Shuffles inside groups of `width` lanes (a power of two).
template <cuda_on_cpu::Shuffled T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, CUDA_ON_CPU_HERE) {
    const unsigned last = static_cast<unsigned>(width) - 1;
    const unsigned from =
        (cuda_on_cpu::lane_number() & ~last) | (static_cast<unsigned>(source) & last);
    return cuda_on_cpu::shuffle("__shfl_sync", mask, value, from, file, line);
}
template <cuda_on_cpu::Shuffled T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, CUDA_ON_CPU_HERE) {
    const unsigned lane = cuda_on_cpu::lane_number();
    const unsigned in_group = lane & (static_cast<unsigned>(width) - 1);
    const unsigned from = delta > in_group ? lane : lane - delta;
    return cuda_on_cpu::shuffle("__shfl_up_sync", mask, value, from, file, line);
}
template <cuda_on_cpu::Shuffled T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                          CUDA_ON_CPU_HERE) {
    const unsigned lane = cuda_on_cpu::lane_number();
    const unsigned in_group = lane & (static_cast<unsigned>(width) - 1);
    const unsigned from = delta >= static_cast<unsigned>(width) - in_group ? lane : lane + delta;
    return cuda_on_cpu::shuffle("__shfl_down_sync", mask, value, from, file, line);
}
template <cuda_on_cpu::Shuffled T>
inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, CUDA_ON_CPU_HERE) {
    const unsigned lane = cuda_on_cpu::lane_number();
    const unsigned other = (lane ^ static_cast<unsigned>(lane_mask)) & 31U;
    const unsigned from = other > (lane | (static_cast<unsigned>(width) - 1)) ? lane : other;
    return cuda_on_cpu::shuffle("__shfl_xor_sync", mask, value, from, file, line);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, CUDA_ON_CPU_HERE) {
    const auto lanes = cuda_on_cpu::exchange(cuda_on_cpu::WarpFunction::ballot, "__ballot_sync",
                                             mask, predicate != 0, file, line);
    unsigned result = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lanes.value[lane] != 0) result |= 1U << lane;
    return result;
}
inline int __any_sync(unsigned mask, int predicate, CUDA_ON_CPU_HERE) {
    const auto lanes = cuda_on_cpu::exchange(cuda_on_cpu::WarpFunction::any, "__any_sync", mask,
                                             predicate != 0, file, line);
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lanes.value[lane] != 0) return 1;
    return 0;
}
inline int __all_sync(unsigned mask, int predicate, CUDA_ON_CPU_HERE) {
    const auto lanes = cuda_on_cpu::exchange(cuda_on_cpu::WarpFunction::all, "__all_sync", mask,
                                             predicate != 0, file, line);
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lanes.value[lane] == 0) return 0;
    return 1;
}
/// The lanes of the mask whose value is this lane's.
inline unsigned __match_any_sync(unsigned mask, unsigned value, CUDA_ON_CPU_HERE) {
    const auto lanes = cuda_on_cpu::exchange(cuda_on_cpu::WarpFunction::match, "__match_any_sync",
                                             mask, value, file, line);
    unsigned result = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lanes.value[lane] == value) result |= 1U << lane;
    return result;
}

inline unsigned __reduce_add_sync(unsigned mask, unsigned value, CUDA_ON_CPU_HERE) {
    return cuda_on_cpu::reduce("__reduce_add_sync", mask, value, file, line,
                               [](unsigned a, unsigned b) { return a + b; });
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value, CUDA_ON_CPU_HERE) {
    return cuda_on_cpu::reduce("__reduce_min_sync", mask, value, file, line,
                               [](unsigned a, unsigned b) { return a < b ? a : b; });
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value, CUDA_ON_CPU_HERE) {
    return cuda_on_cpu::reduce("__reduce_max_sync", mask, value, file, line,
                               [](unsigned a, unsigned b) { return a < b ? b : a; });
}
#undef CUDA_ON_CPU_HERE
