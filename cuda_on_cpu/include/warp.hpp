// SPDX-License-Identifier: MIT
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
    unsigned lane;               ///< this thread's
};
extern "C" WarpValues cuda_on_cpu_exchange(WarpFunction function, const char* name, unsigned mask,
                                           std::uint64_t value, const char* file, int line);
/// The lanes that come to this call together, of those that are in the same branch.
unsigned coalesced_lanes(const char* name, const char* file, int line);
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
        const WarpValues lanes =
            cuda_on_cpu_exchange(WarpFunction::reduce, name, mask, word, file, line);
        for (unsigned lane = 0; lane < 32; ++lane)
            if ((lanes.present >> lane & 1U) != 0)
                std::memcpy(reinterpret_cast<char*>(&all.value[lane]) + at, &lanes.value[lane],
                            bytes);
        all.present = lanes.present;
    }
    return all;
}

/// bool, char, short and enumerators become an int or what else holds them, as in any call.
template <class T>
concept Shuffled = sizeof(T) <= 8 && (std::is_arithmetic_v<T> ||
                                      (std::is_enum_v<T> && std::is_convertible_v<T, long long>));

/// Where a shuffle stands, and its mask.
struct ShuffleCall {
    const char* name;
    unsigned mask;
    const char* file;
    int line;
};
/// Tells that the running thread reads a lane that takes no part; once of each call. The value is
/// then that of memory that was never written.
void report_inactive_lane(const ShuffleCall& call, unsigned lane, void* value, std::size_t bytes);
/// Tells that no shuffle has this width, or that one has a distance of more than five bits.
void report_wrong_width(const ShuffleCall& call, unsigned width);
void report_long_distance(const ShuffleCall& call, unsigned distance);
inline void check_width(const ShuffleCall& call, int width) {
    const auto size = static_cast<unsigned>(width);
    if (size - 1 > 31 || (size & (size - 1)) != 0) report_wrong_width(call, size);
}
/// Five bits of a distance count (PTX ISA, shfl.sync): 32 gives a lane its own value.
inline unsigned five_bits(const ShuffleCall& call, unsigned distance) {
    if (distance > 31) report_long_distance(call, distance);
    return distance & 31U;
}

/// `source` gives the lane that a lane reads.
template <Shuffled T, class Source>
inline T shuffle(const ShuffleCall& call, T value, Source source) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    const WarpValues lanes = cuda_on_cpu_exchange(WarpFunction::shuffle, call.name, call.mask, bits,
                                                  call.file, call.line);
    const unsigned from = source(lanes.lane) & 31U;
    if ((lanes.present >> from & 1U) != 0) [[likely]]
        std::memcpy(&value, &lanes.value[from], sizeof(T));
    else
        report_inactive_lane(call, from, &value, sizeof(T));
    return value;
}

template <class T, class Function>
inline T reduce(const char* name, unsigned mask, T value, const char* file, int line,
                Function combine) {
    const WarpValues lanes = cuda_on_cpu_exchange(WarpFunction::reduce, name, mask,
                                                  static_cast<unsigned>(value), file, line);
    T result = value;  // this lane's own value, then every other lane's
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lane != lane_number())
            result = static_cast<T>(
                combine(result, static_cast<T>(static_cast<unsigned>(lanes.value[lane]))));
    return result;
}

struct Matching {
    unsigned equal, present;  ///< lanes whose bits are this lane's; all that took part
};
template <Shuffled T>
inline Matching matching(const char* name, unsigned mask, T value, const char* file, int line) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    const WarpValues lanes =
        cuda_on_cpu_exchange(WarpFunction::match, name, mask, bits, file, line);
    Matching found{0, lanes.present};
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lanes.value[lane] == bits)
            found.equal |= 1U << lane;
    return found;
}

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncwarp(unsigned mask = 0xffffffffU, CUDA_ON_CPU_HERE) {
    cuda_on_cpu::cuda_on_cpu_exchange(cuda_on_cpu::WarpFunction::sync, "__syncwarp", mask, 0, file,
                                      line);
}
inline unsigned __activemask(CUDA_ON_CPU_HERE) {
    return cuda_on_cpu::coalesced_lanes("__activemask", file, line);
}

// Shuffles inside groups of `width` lanes (a power of two).
template <cuda_on_cpu::Shuffled T>
inline auto __shfl_sync(unsigned mask, T value, int source, int width = 32, CUDA_ON_CPU_HERE) {
    const cuda_on_cpu::ShuffleCall call{"__shfl_sync", mask, file, line};
    cuda_on_cpu::check_width(call, width);
    return cuda_on_cpu::shuffle(call, +value, [=](unsigned lane) {
        const unsigned last = static_cast<unsigned>(width) - 1;
        return (lane & ~last) | (static_cast<unsigned>(source) & last);
    });
}
template <cuda_on_cpu::Shuffled T>
inline auto __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                           CUDA_ON_CPU_HERE) {
    const cuda_on_cpu::ShuffleCall call{"__shfl_up_sync", mask, file, line};
    cuda_on_cpu::check_width(call, width);
    delta = cuda_on_cpu::five_bits(call, delta);
    return cuda_on_cpu::shuffle(call, +value, [=](unsigned lane) {
        const unsigned in_group = lane & (static_cast<unsigned>(width) - 1);
        return delta > in_group ? lane : lane - delta;
    });
}
template <cuda_on_cpu::Shuffled T>
inline auto __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                             CUDA_ON_CPU_HERE) {
    const cuda_on_cpu::ShuffleCall call{"__shfl_down_sync", mask, file, line};
    cuda_on_cpu::check_width(call, width);
    delta = cuda_on_cpu::five_bits(call, delta);
    return cuda_on_cpu::shuffle(call, +value, [=](unsigned lane) {
        const unsigned in_group = lane & (static_cast<unsigned>(width) - 1);
        return delta >= static_cast<unsigned>(width) - in_group ? lane : lane + delta;
    });
}
template <cuda_on_cpu::Shuffled T>
inline auto __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                            CUDA_ON_CPU_HERE) {
    const cuda_on_cpu::ShuffleCall call{"__shfl_xor_sync", mask, file, line};
    cuda_on_cpu::check_width(call, width);
    const unsigned bits = cuda_on_cpu::five_bits(call, static_cast<unsigned>(lane_mask));
    return cuda_on_cpu::shuffle(call, +value, [=](unsigned lane) {
        const unsigned other = lane ^ bits;
        return other > (lane | (static_cast<unsigned>(width) - 1)) ? lane : other;
    });
}

inline unsigned __ballot_sync(unsigned mask, int predicate, CUDA_ON_CPU_HERE) {
    const auto lanes = cuda_on_cpu::cuda_on_cpu_exchange(
        cuda_on_cpu::WarpFunction::ballot, "__ballot_sync", mask, predicate != 0, file, line);
    unsigned result = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lanes.value[lane] != 0) result |= 1U << lane;
    return result;
}
inline int __any_sync(unsigned mask, int predicate, CUDA_ON_CPU_HERE) {
    const auto lanes = cuda_on_cpu::cuda_on_cpu_exchange(
        cuda_on_cpu::WarpFunction::any, "__any_sync", mask, predicate != 0, file, line);
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lanes.value[lane] != 0) return 1;
    return 0;
}
inline int __all_sync(unsigned mask, int predicate, CUDA_ON_CPU_HERE) {
    const auto lanes = cuda_on_cpu::cuda_on_cpu_exchange(
        cuda_on_cpu::WarpFunction::all, "__all_sync", mask, predicate != 0, file, line);
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.present >> lane & 1U) != 0 && lanes.value[lane] == 0) return 0;
    return 1;
}
/// The lanes of the mask whose value is this lane's.
template <class T>
inline unsigned __match_any_sync(unsigned mask, T value, CUDA_ON_CPU_HERE) {
    return cuda_on_cpu::matching("__match_any_sync", mask, +value, file, line).equal;
}
/// The mask if all its lanes have this value, else 0.
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* is_equal, CUDA_ON_CPU_HERE) {
    const auto found = cuda_on_cpu::matching("__match_all_sync", mask, +value, file, line);
    *is_equal = found.equal == found.present ? 1 : 0;
    return *is_equal != 0 ? mask : 0;
}

#define CUDA_ON_CPU_REDUCE(name, T, combined)                          \
    inline T name(unsigned mask, T value, CUDA_ON_CPU_HERE) {          \
        return cuda_on_cpu::reduce(#name, mask, value, file, line,     \
                                   [](T a, T b) { return combined; }); \
    }
CUDA_ON_CPU_REDUCE(__reduce_add_sync, unsigned, a + b)
CUDA_ON_CPU_REDUCE(__reduce_add_sync, int, static_cast<unsigned>(a) + static_cast<unsigned>(b))
CUDA_ON_CPU_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
CUDA_ON_CPU_REDUCE(__reduce_min_sync, int, a < b ? a : b)
CUDA_ON_CPU_REDUCE(__reduce_max_sync, unsigned, a < b ? b : a)
CUDA_ON_CPU_REDUCE(__reduce_max_sync, int, a < b ? b : a)
CUDA_ON_CPU_REDUCE(__reduce_and_sync, unsigned, (a & b))
CUDA_ON_CPU_REDUCE(__reduce_or_sync, unsigned, (a | b))
CUDA_ON_CPU_REDUCE(__reduce_xor_sync, unsigned, (a ^ b))
#undef CUDA_ON_CPU_REDUCE
#undef CUDA_ON_CPU_HERE
