// SPDX-License-Identifier: MIT
// The words that CUDA adds to C++: function and memory spaces, built-in variables, block barriers.
#pragma once

#include <cstddef>
#include <type_traits>

#include "errors.hpp"
#include "vector_types.hpp"

#define __global__
#define __device__
#define __host__
#ifndef __constant__  // `count` has it put such variables into a section
#define __constant__
#endif
// Such variables lie together, so that `check` knows them.
#define __managed__ __attribute__((section("managed_variables")))
#define __grid_constant__
#define __launch_bounds__(...)
#ifdef CUDA_ON_CPU_COUNTED
#define __forceinline__ inline __attribute__((always_inline))
#else
#define __forceinline__ inline  // half the time to compile
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))

// One copy for the block that runs on this CPU thread. A variable in a kernel can be static or
// thread_local, and few others are thread_local. used: the compiler must not conclude from a tile's
// code alone what is in it. aligned: a GPU's tile begins at a multiple of 16, in practice. abi_tag:
// a mark in its symbol, by which shared_memory.cpp tells it from the host's variables; g++ does not
// give what is in a template a section of its own. `extern __shared__` is translated (translate/).
#define __shared__ __attribute__((used, aligned(16), abi_tag("cuda_shared"))) thread_local

extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
constexpr int warpSize = 32;

namespace cuda_on_cpu {

void* dynamic_memory();
/// `extern __shared__ T name[];` becomes a pointer with this value: the block's dynamic shared
/// memory, as elements of any type.
struct DynamicArray {
    template <class T>
    operator T*() const {
        return static_cast<T*>(dynamic_memory());
    }
};
constexpr DynamicArray dynamic_array;

/// What translate/ adds behind a __device__ or __constant__ variable: variables.hpp.
struct DeviceVariable {
    DeviceVariable(const volatile void* begin, std::size_t bytes, const char* name,
                   bool is_constant, bool is_set, bool is_read_only);
};
/// Bytes behind such variables and before the first one, where nobody else may write. Variables
/// with a value are in one section, those without in another, and each has its own.
struct Guards {
    static constexpr std::size_t bytes = 64;
    Guards(char* of_set, char* of_unset);
};
#ifdef __clang__  // it keeps variables in their order
#define CUDA_ON_CPU_IN_ORDER
#else
#define CUDA_ON_CPU_IN_ORDER __attribute__((no_reorder))
#endif
#define CUDA_ON_CPU_GUARDS(place)                                                            \
    static CUDA_ON_CPU_IN_ORDER __attribute__((                                              \
        aligned(1), used)) char cuda_on_cpu_set_##place[::cuda_on_cpu::Guards::bytes] = {1}; \
    static CUDA_ON_CPU_IN_ORDER __attribute__((                                              \
        aligned(1), used)) char cuda_on_cpu_unset_##place[::cuda_on_cpu::Guards::bytes];     \
    [[maybe_unused]] static const ::cuda_on_cpu::Guards cuda_on_cpu_guards_##place(          \
        cuda_on_cpu_set_##place, cuda_on_cpu_unset_##place)
CUDA_ON_CPU_GUARDS(before);
#define CUDA_ON_CPU_VARIABLE(name, is_constant, is_set)                                \
    extern CUDA_ON_CPU_IN_ORDER decltype(name) name;                                   \
    [[maybe_unused]] static const ::cuda_on_cpu::DeviceVariable cuda_on_cpu_of_##name( \
        &name, sizeof(name), #name, is_constant, is_set,                               \
        std::is_const_v<std::remove_all_extents_t<decltype(name)>>);                   \
    CUDA_ON_CPU_GUARDS(behind_##name)

/// Waits until all threads of the block are here; returns how many passed true.
unsigned barrier(bool predicate, const char* what, const char* file, int line);
/// Waits until the `count` threads of the block from number `first` on are here.
void tile_barrier(unsigned first, unsigned count, const char* file, int line);
/// Waits until all threads of the grid are here.
void wait_for_grid(const char* file, int line);
/// For `check`: the thread has called a fence; it begins an atomic function, and ends it.
void fence();
void begin_atomic();
void end_atomic();
/// An atomic function has added up this: for an observer.
void sum_of_floats(double sum);
/// Each access to memory is a call (accesses/).
#if defined(CUDA_ON_CPU_CHECKED) || defined(CUDA_ON_CPU_COUNTED)
constexpr bool records_accesses = true;
#else
constexpr bool records_accesses = false;
#ifdef __SANITIZE_THREAD__
#error "ThreadSanitizer cannot follow the threads of CUDA on the CPU: use cuda-on-cpu check"
#endif
#endif
/// Ends the kernel with cudaErrorMisalignedAddress, if a kernel runs.
void stop_misaligned_atomic(const void* address, std::size_t bytes);
/// Ends the kernel with cudaErrorLaunchFailure and reports the thread.
[[noreturn]] void trap(const char* file, int line);
/// Ends the kernel with this error and "thread (x,y,z) <what> at file:line: <remedy>".
[[noreturn]] void stop_kernel(cudaError_t error, const char* what, const char* file, int line,
                              const char* remedy);
/// The thread may wait for others of its block: they have their turn first.
void let_others_run();
inline unsigned unchanged = 0;         ///< atomic functions that have changed nothing
inline volatile int is_in_atomic = 0;  ///< the thread must not be interrupted

}  // namespace cuda_on_cpu

extern "C" void cuda_on_cpu_syncthreads(const char* file, int line);
inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    cuda_on_cpu_syncthreads(file, line);
}
inline int __syncthreads_count(int predicate, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE()) {
    return static_cast<int>(
        cuda_on_cpu::barrier(predicate != 0, "__syncthreads_count", file, line));
}
inline int __syncthreads_or(int predicate, const char* file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
    return cuda_on_cpu::barrier(predicate != 0, "__syncthreads_or", file, line) != 0;
}
inline int __syncthreads_and(int predicate, const char* file = __builtin_FILE(),
                             int line = __builtin_LINE()) {
    return cuda_on_cpu::barrier(predicate == 0, "__syncthreads_and", file, line) == 0;
}

// One thread runs at a time and in program order, so a fence has nothing to do, except to tell
// `check`.
inline void __threadfence() {
    if (cuda_on_cpu::records_accesses) cuda_on_cpu::fence();
}
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

[[noreturn]] inline void __trap(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    cuda_on_cpu::trap(file, line);
}
