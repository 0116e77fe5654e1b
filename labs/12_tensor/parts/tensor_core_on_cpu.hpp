// SPDX-License-Identifier: MIT
// tensor_core.hpp on the emulator, by plain loops: each lane looks at the registers of the others.
#pragma once

#include <cstdint>
#include <cstdio>

#include "labs/12_tensor/parts/tensor_core.hpp"

namespace convolab {

/// Waits for all lanes, and brings together what they bring: by lane.
inline const std::uint64_t* exchange_pointers(const char* name, const void* mine) {
    return cuda_on_cpu::cuda_on_cpu_exchange(cuda_on_cpu::WarpFunction::reduce, name, ~0U,
                                             reinterpret_cast<std::uintptr_t>(mine), __FILE__,
                                             __LINE__)
        .value;
}

struct MatrixRegisters {
    unsigned a[4], b[4];
    unsigned positions;  ///< of a sparse A

    // Bytes in the order of the words. Pointers, whose indices the emulator need not check.
    const std::int8_t* taps() const { return reinterpret_cast<const std::int8_t*>(a); }
    const std::uint8_t* samples() const { return reinterpret_cast<const std::uint8_t*>(b); }
};
/// What a lane needs of the others: rows g and g + 8 of A, columns 2 t and 2 t + 1 of B.
struct Operands {
    MatrixRegisters rows[4], columns[2][4];

    /// It looks at other lanes' stacks. ThreadSanitizer must not know of it: the instruction does
    /// not order accesses to memory.
    __attribute__((no_sanitize("thread"))) explicit Operands(const std::uint64_t* lanes) {
        const auto of = [&](unsigned lane) {
            return reinterpret_cast<const MatrixRegisters*>(lanes[lane]);
        };
        const unsigned g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        for (unsigned i = 0; i < 4; ++i) {
            rows[i] = *of(4 * g + i);
            for (unsigned column = 0; column < 2; ++column)
                columns[column][i] = *of(4 * (2 * t + column) + i);
        }
    }
};

/// The places of a lane's eight groups rise; a GPU computes with others without a word.
inline void require_rising(unsigned positions, const char* file, int line) {
    static char text[160];  // the kernel ends in it; one thread runs at a time
    for (int group = 0; group < 8; ++group) {
        const unsigned low = positions >> (4 * group) & 3, high = positions >> (4 * group + 2) & 3;
        if (low < high) continue;
        std::snprintf(text, sizeof text,
                      "gives mma.sp the places %u and %u of group %d of its word, which %s,", low,
                      high, group, low == high ? "are equal" : "do not rise");
        cuda_on_cpu::stop_kernel(cudaErrorLaunchFailure, text, file, line,
                                 "the lower place comes first, in the lower two bits");
    }
}

inline int4 multiply(const uint4& a, const uint2& b, const int4& c) {
    const MatrixRegisters mine{{a.x, a.y, a.z, a.w}, {b.x, b.y}, 0};
    const Operands of(exchange_pointers("mma", &mine));
    int d[4] = {c.x, c.y, c.z, c.w};
    for (int from = 0; from < 4; ++from)
        for (int word = 0; word < 4; ++word) {
            if (of.rows[from].a[word] == 0) continue;
            const std::int8_t* taps = of.rows[from].taps() + 4 * word;
            for (int column = 0; column < 2; ++column) {
                const std::uint8_t* samples = of.columns[column][from].samples() + 4 * (word / 2);
                int& sum = d[2 * (word % 2) + column];
                for (int i = 0; i < 4; ++i) sum += taps[i] * samples[i];
            }
        }
    exchange_pointers("mma", nullptr);  // nobody goes on before all have read
    return make_int4(d[0], d[1], d[2], d[3]);
}

inline int4 multiply_sparse(const uint4& a, unsigned positions, const uint4& b, const int4& c,
                            const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    require_rising(positions, file, line);
    const MatrixRegisters mine{{a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}, positions};
    const Operands of(exchange_pointers("mma.sp", &mine));
    int d[4] = {c.x, c.y, c.z, c.w};
    for (int group = 0; group < 16; ++group)
        for (int below = 0; below < 2; ++below) {  // row g, row g + 8
            const int word = below + 2 * (group / 8);
            const std::int8_t* taps = of.rows[group % 8 / 2].taps() + 4 * word + 2 * (group % 2);
            if (taps[0] == 0 && taps[1] == 0) continue;
            const unsigned places = of.rows[word].positions >> (4 * (group % 8));
            for (int column = 0; column < 2; ++column) {
                const std::uint8_t* samples =
                    of.columns[column][group % 4].samples() + 4 * (group / 4);
                d[2 * below + column] +=
                    taps[0] * samples[places & 3] + taps[1] * samples[places >> 2 & 3];
            }
        }
    exchange_pointers("mma.sp", nullptr);  // nobody goes on before all have read
    return make_int4(d[0], d[1], d[2], d[3]);
}

inline void store_transposed(void* s_to, const unsigned (&words)[4]) {
    const std::uint64_t* to = exchange_pointers("stmatrix", s_to);
    const unsigned g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned k = 0; k < 2; ++k)
            reinterpret_cast<std::uint16_t*>(to[8 * i + 2 * t + k])[g] =
                static_cast<std::uint16_t>(words[i] >> (16 * k));
}

inline unsigned transposed(unsigned word) {
    const std::uint64_t* words =
        exchange_pointers("movmatrix", reinterpret_cast<const void*>(std::uintptr_t{word}));
    const unsigned g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    unsigned result = 0;
    for (unsigned k = 0; k < 2; ++k)  // element (g, 2 t + k) is element (2 t + k, g)
        result |= (words[4 * (2 * t + k) + g / 2] >> (16 * (g % 2)) & 0xffffU) << (16 * k);
    exchange_pointers("movmatrix", nullptr);
    return result;
}

}  // namespace convolab
