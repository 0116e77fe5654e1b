// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A kernel and its arguments as an object, and cudaLaunchKernelEx.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime_types.hpp"

namespace cuda_on_cpu {

/// A kernel with its arguments; run_thread() runs it for the thread that threadIdx names.
class KernelCall {
  public:
    virtual ~KernelCall() = default;
    virtual void run_thread() const = 0;
};

/// What messages say of a launch: "blur<T>, launched at lab.cu:12", or "a kernel" without a name.
struct LaunchPlace {
    const char* kernel = nullptr;
    const char* file = nullptr;
    int line = 0;
};

/// `function` is what cudaFuncSetAttribute knows the kernel by.
cudaError_t launch(const cudaLaunchConfig_t& config, const void* function,
                   std::shared_ptr<const KernelCall> call, std::vector<const void*> pointers,
                   const LaunchPlace& place);

/// nullptr for what is no pointer to an object.
template <class T>
const void* pointer_argument(const T& argument) {
    if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>)
        return const_cast<const void*>(static_cast<const volatile void*>(argument));
    else
        return nullptr;
}

template <class Function, class... Values>
class BoundKernel final : public KernelCall {
  public:
    BoundKernel(Function function, std::tuple<Values...> values)
        : function_(std::move(function)), values_(std::move(values)) {}
    void run_thread() const override { std::apply(function_, values_); }

  private:
    Function function_;
    std::tuple<Values...> values_;
};

template <class Function, class... Values>
cudaError_t launch_with(const cudaLaunchConfig_t& config, const void* address, Function function,
                        std::tuple<Values...> values, const LaunchPlace& place) {
    auto pointers = std::apply(
        [](const auto&... value) { return std::vector<const void*>{pointer_argument(value)...}; },
        values);
    using Bound = BoundKernel<Function, Values...>;
    return launch(config, address,
                  std::make_shared<const Bound>(std::move(function), std::move(values)),
                  std::move(pointers), place);
}

}  // namespace cuda_on_cpu

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                  "the kernel takes another number of arguments");
    if (config == nullptr) return cudaErrorInvalidValue;
    return cuda_on_cpu::launch_with(
        *config, reinterpret_cast<const void*>(kernel), kernel,
        std::tuple<Parameters...>(std::forward<Arguments>(arguments)...), {});
}
