// SPDX-License-Identifier: MIT
// kernel<<<...>>>(...). The build step translate/ makes of
//
//     blur<T><<<grid, block, shared_bytes, stream>>>(d_in, d_out)
//     CUDA_ON_CPU_LAUNCH(blur<T>)(grid, block, shared_bytes, stream)(d_in, d_out)
//
// The arguments are evaluated once, at the launch, and converted to the types of the kernel's
// parameters; every thread gets its own copy. An error is left for cudaGetLastError.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// A kernel of known type, the arguments are still to come. Called with them, it launches; with
/// fewer, too, if its last parameters have default arguments, which `call` knows.
template <class Call, class... Parameters>
struct [[nodiscard]] KnownKernel {
    Call call;
    void (*function)(Parameters...);
    cudaLaunchConfig_t config;
    LaunchPlace place;

    void operator()(Parameters... arguments) const {
        constexpr bool has_reference = (std::is_reference_v<Parameters> || ...);
        static_assert(!has_reference,
                      "a kernel takes no references: they would be addresses of the host");
        static_assert(
            (std::size_t{0} + ... + sizeof(Parameters)) <= 32764,
            "a kernel takes at most 32764 bytes of parameters: put them in device memory");
        if constexpr (!has_reference)  // else more messages would follow
            launch_with(config, reinterpret_cast<const void*>(function), function,
                        std::tuple<Parameters...>(std::move(arguments)...), place);
    }
    template <class... Arguments>
    requires(sizeof...(Arguments) < sizeof...(Parameters) &&
             std::is_invocable_v<Call, const Arguments&...>) void
    operator()(Arguments... arguments) const {
        launch_with(config, reinterpret_cast<const void*>(function), call,
                    std::tuple<Arguments...>(std::move(arguments)...), place);
    }
};

/// Takes what stands before `<<<`: a pointer to a kernel, or what is no kernel, so that the message
/// can name the mistake. A name of several functions, or of a template of them, fits neither: of a
/// kernel and a host function without parameters, one fits each of the first two.
struct TakeKernel {
    template <class Result>
    requires std::is_void_v<Result>
    auto operator()(Result (*function)()) const { return function; }
    template <class First, class... Rest>
    auto operator()(void (*function)(First, Rest...)) const {
        return function;
    }
    struct NotAKernel {};
    template <class T>
    NotAKernel operator()(const T&) const {
        return {};
    }
};

/// Takes the function with exactly these parameters.
template <class... Parameters>
struct TakeExactly {
    auto operator()(void (*function)(Parameters...)) const { return function; }
};
template <class... T>
struct Types {};

/// The kernel whose parameters have the arguments' types, pointers perhaps with const added;
/// nullptr if there is none.
template <class Take, class... Chosen>
auto kernel_for(const Take& take, Types<Chosen...>, Types<>) {
    if constexpr (std::is_invocable_v<Take, TakeExactly<Chosen...>>)
        return take(TakeExactly<Chosen...>{});
    else
        return nullptr;
}
template <class Take, class... Chosen, class First, class... Rest>
auto kernel_for(const Take& take, Types<Chosen...>, Types<First, Rest...>) {
    const auto kernel = kernel_for(take, Types<Chosen..., First>{}, Types<Rest...>{});
    using Constant = std::add_const_t<std::remove_pointer_t<First>>*;
    if constexpr (std::is_null_pointer_v<std::remove_const_t<decltype(kernel)>> &&
                  std::is_pointer_v<First> && !std::is_same_v<First, Constant>)
        return kernel_for(take, Types<Chosen..., Constant>{}, Types<Rest...>{});
    else
        return kernel;
}

/// One of several functions, or of a function template: which one follows from the arguments.
template <class Take, class Call>
struct [[nodiscard]] DeducedKernel {
    Take take;
    Call call;
    cudaLaunchConfig_t config;
    LaunchPlace place;

    template <class... Arguments>
    void operator()(Arguments... arguments) const {
        const auto kernel = kernel_for(take, Types<>{}, Types<Arguments...>{});
        if constexpr (!std::is_null_pointer_v<std::remove_const_t<decltype(kernel)>>) {
            KnownKernel{call, kernel, config, place}(std::move(arguments)...);
        } else {  // arguments are converted: the compiler picks, but does not say which
            static const char unknown = 0;
            launch_with(config, &unknown, call, std::tuple<Arguments...>(std::move(arguments)...),
                        place);
        }
    }
};

template <class Take, class Call>
struct KernelName {
    Take take;
    Call call;
    LaunchPlace place;

    auto operator()(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                    cudaStream_t stream = nullptr) const {
        cudaLaunchConfig_t config{};
        config.gridDim = grid;
        config.blockDim = block;
        config.dynamicSmemBytes = shared_bytes;
        config.stream = stream;
        if constexpr (!std::is_invocable_v<Take, TakeKernel>)
            return DeducedKernel<Take, Call>{take, call, config, place};
        else if constexpr (std::is_pointer_v<std::invoke_result_t<Take, TakeKernel>>)
            return KnownKernel{call, take(TakeKernel{}), config, place};
        else
            static_assert(!sizeof(Take*), "what stands before <<< is no __global__ void function");
    }
};
template <class Call, class... Parameters>
KnownKernel(Call, void (*)(Parameters...), cudaLaunchConfig_t, LaunchPlace)
    -> KnownKernel<Call, Parameters...>;
template <class Take, class Call>
KernelName(Take, Call, LaunchPlace) -> KernelName<Take, Call>;

}  // namespace cuda_on_cpu

// Two functions of the same text: one gives the kernel's address if it has one, the other calls
// it, so that the compiler deduces template arguments. Which of them is valid decides the launch.
// clang-format off
#define CUDA_ON_CPU_LAUNCH(...)                                                               \
    ::cuda_on_cpu::KernelName{                                                                \
        [&](auto cuda_on_cpu_take) -> decltype(cuda_on_cpu_take(__VA_ARGS__)) {               \
            return cuda_on_cpu_take(__VA_ARGS__);                                             \
        },                                                                                    \
        [&](const auto&... cuda_on_cpu_arguments)                                             \
            -> decltype(static_cast<void>(__VA_ARGS__(cuda_on_cpu_arguments...))) {           \
            __VA_ARGS__(cuda_on_cpu_arguments...);                                            \
        },                                                                                    \
        ::cuda_on_cpu::LaunchPlace{#__VA_ARGS__, __FILE__, __LINE__}}
// clang-format on
