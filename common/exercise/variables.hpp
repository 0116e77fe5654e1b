// SPDX-License-Identifier: MIT
// The answer's __device__ and __constant__ variables. One that could hold a picture is an error,
// because it is too small for a larger picture. While counts are taken, values that the answer has
// copied to constant memory are changed there, which shows whether the output comes from there.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/exercise/exercise.hpp"

namespace convolab::exercise {

/// What a value in constant memory has more than the one that was copied there.
inline constexpr int kMore = 1000;

/// The values that are changed: the judge's. None is less than 100, so none is one that an answer
/// has there for something else.
[[maybe_unused]] static std::vector<int> changed_constants;

/// What then stands in constant memory.
inline std::vector<int> as_counted(std::vector<int> values) {
    for (int& value : values) value += is_counted ? kMore : 0;
    return values;
}

/// For Exercise::with.
inline std::string with_constants(const Input&) {
    return is_counted ? "each tap in constant memory changed by " + std::to_string(kMore) : "";
}

}  // namespace convolab::exercise

#if defined(CUDA_ON_CPU) && defined(CONVOLAB_ANSWER)
// The emulator's own functions. Of each variable it makes an object before main(); the last one is
// called then in the place of the second.
using CopySymbol = cudaError_t(const void* symbol, std::size_t symbol_bytes, std::size_t element,
                               const void* from, void* to, std::size_t bytes, std::size_t offset,
                               bool wait, cudaMemcpyKind kind, cudaStream_t stream);
using Declare = void(void* self, const void* begin, std::size_t bytes, const char* name,
                     bool is_constant, bool is_set, bool is_read_only);
extern "C" CopySymbol copy_symbol asm(
    "__real__ZN11cuda_on_cpu11copy_symbolEPKvmmS1_Pvmmb14cudaMemcpyKindP11CUstream_st");
extern "C" Declare declare asm("__real__ZN11cuda_on_cpu14DeviceVariableC1EPVKvmPKcbbb");
extern "C" Declare declared asm("__wrap__ZN11cuda_on_cpu14DeviceVariableC1EPVKvmPKcbbb");

namespace convolab::exercise {

/// Of all constant memory; one that is larger could contain a picture of a video.
constexpr std::size_t kMostConstantBytes = 65536;

struct Constant {
    const void* begin;
    std::size_t bytes;
};
inline std::vector<Constant>& constants() {
    static std::vector<Constant> all;
    return all;
}

/// Behind each copy of the answer.
inline void change_constants() {
    for (const auto [begin, bytes] : constants()) {
        if (!is_counted || changed_constants.empty()) return;
        std::vector<int> words(bytes / sizeof(int));
        const std::size_t whole = words.size() * sizeof(int);
        cudaDeviceSynchronize();
        copy_symbol(begin, bytes, 1, nullptr, words.data(), whole, 0, true, cudaMemcpyDeviceToHost,
                    nullptr);
        for (int& word : words)
            if (std::count(changed_constants.begin(), changed_constants.end(), word)) word += kMore;
        copy_symbol(begin, bytes, 1, words.data(), nullptr, whole, 0, true, cudaMemcpyHostToDevice,
                    nullptr);
    }
}

}  // namespace convolab::exercise

void declared(void* self, const void* begin, std::size_t bytes, const char* name, bool is_constant,
              bool is_set, bool is_read_only) {
    using namespace convolab::exercise;
    if (is_constant) constants().push_back({begin, bytes});
    if (bytes > kMostConstantBytes) large_variable = name;
    declare(self, begin, bytes, name, is_constant, is_set, is_read_only);
}
#endif
