// SPDX-License-Identifier: MIT
// A tile of several warps, 64 to 1024 threads of a block with consecutive numbers. On a GPU it
// needs the memory of a block_tile_memory; here its values lie beside the block.
#pragma once

#include "../cuda_runtime.h"

namespace cooperative_groups {

template <unsigned Threads = 1024>
struct block_tile_memory {
    char unused;
};

template <unsigned Size>
class warps_tile {
  public:
    explicit warps_tile(unsigned number) : number_(number) {}
    static constexpr unsigned long long size() { return Size; }
    static constexpr unsigned long long num_threads() { return Size; }
    unsigned long long thread_rank() const { return number_ % Size; }
    void sync(const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        cuda_on_cpu::tile_barrier(number_ / Size * Size, Size, file, line);
    }

    template <class T>
    T shfl(T value, int rank, const char* file = __builtin_FILE(),
           int line = __builtin_LINE()) const {
        return with_values(value, file, line, [&](const T* of_tile) {
            return of_tile[static_cast<unsigned>(rank) % Size];
        });
    }
    int any(int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        return fold(
            predicate != 0 ? 1 : 0, [](int a, int b) { return a | b; }, file, line);
    }
    int all(int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        return fold(
            predicate != 0 ? 1 : 0, [](int a, int b) { return a & b; }, file, line);
    }
    /// For reduce().
    template <class T, class Function>
    T fold(T value, Function combine, const char* file, int line) const {
        return with_values(value, file, line, [&](const T* of_tile) {
            T result = of_tile[0];
            for (unsigned i = 1; i < Size; ++i) result = combine(result, of_tile[i]);
            return result;
        });
    }

  private:
    template <class T>
    static inline T values_[1024];

    template <class T, class Function>
    T with_values(T value, const char* file, int line, Function use) const {
        values_<T>[number_] = value;
        sync(file, line);
        const T result = use(values_<T> + number_ / Size * Size);
        sync(file, line);
        return result;
    }

    unsigned number_;  // of the thread in the block
};

}  // namespace cooperative_groups
