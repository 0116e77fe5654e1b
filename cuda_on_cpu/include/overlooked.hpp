// SPDX-License-Identifier: MIT
// What the build step translate/ adds to statements that are easily wrong without a word:
//
//     cudaFree(d_in);            CUDA_ON_CPU_UNCHECKED(cudaFree), cudaFree(d_in);
//     __global__ void blur() {   __global__ void blur() { CUDA_ON_CPU_KERNEL;
//     atomicAdd(&s[i], 1);       atomicAdd(CUDA_ON_CPU_ELEMENT(s, (i)), 1);
//     extern __shared__ int b[]; int* const b = (tell_same_array("a", "b", ...), dynamic_array);
#pragma once

#include <cstddef>
#include <type_traits>

#include "errors.hpp"

namespace cuda_on_cpu {

/// A call whose result the program throws away.
class Unchecked {
  public:
    Unchecked(const char* function, const char* file, int line);
    /// Keeps an error that is not told otherwise, until the program calls cudaGetLastError or ends.
    void take(cudaError_t error) const;

  private:
    const char *function_, *file_;
    int line_;
    bool is_broken_;                // since an earlier call
    unsigned long reports_before_;  // sentences so far
};
inline void operator,(const Unchecked& call, cudaError_t error) { call.take(error); }

/// All `extern __shared__` arrays of a kernel begin at the same address, and it uses both.
void tell_same_array(const char* first, const char* second, const char* file, int line);

/// Ends the kernel: the array has no such element.
[[noreturn]] void stop_outside(const char* array, long long index, std::size_t count,
                               const char* file, int line);
/// Its address. C++ allows the address behind the last element, but no atomic function may use it.
template <class T, std::size_t count, class Index>
T* element(T (&array)[count], Index index, const char* name, const char* file, int line) {
    const auto number = static_cast<long long>(index);
    if (number < 0 || number >= static_cast<long long>(count))
        stop_outside(name, number, count, file, line);
    return array + number;
}
template <class Array, class Index>
requires(!std::is_array_v<std::remove_reference_t<Array>>) auto* element(Array&& array,
                                                                         Index&& index, const char*,
                                                                         const char*, int) {
    return &array[index];
}

/// A kernel that `blur(d_out)` calls, without <<< >>>, is a function to C++: ends the program.
void begin_kernel(const char* name);

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_UNCHECKED(function) ::cuda_on_cpu::Unchecked(#function, __FILE__, __LINE__)
#define CUDA_ON_CPU_ELEMENT(array, index) \
    ::cuda_on_cpu::element(array, index, #array, __FILE__, __LINE__)
#define CUDA_ON_CPU_KERNEL ::cuda_on_cpu::begin_kernel(__func__)
