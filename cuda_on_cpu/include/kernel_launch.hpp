// SPDX-License-Identifier: MIT
// A kernel and its arguments as an object, and cudaLaunchKernelEx.
#pragma once

#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime_types.hpp"

namespace cuda_on_cpu {

/// The thread that threadIdx names has returned. True: threadIdx names another one that starts on
/// the same stack; without one this stack is left for good.
bool start_next_thread();
/// For `check`: where the next function has its local arrays is what memory holds that was never
/// written.
void fill_stack();

/// A kernel with its arguments; run_threads() runs it for the thread that threadIdx names, and for
/// those that follow.
class KernelCall {
  public:
    virtual ~KernelCall() = default;
    virtual void run_threads() const = 0;
};

/// What messages say of a launch: "blur<T>, launched at lab.cu:12", or "a kernel" without a name.
struct LaunchPlace {
    const char* kernel = nullptr;
    const char* file = nullptr;
    int line = 0;
};

/// A pointer that a kernel is given: an argument, or eight bytes of one that may be a pointer.
struct Address {
    const void* value;
    int argument;                ///< from 1
    int offset;                  ///< in a struct; -1: the argument is the pointer
    bool is_writable;            ///< what it points to is not const, or not known
    bool is_volatile = false;    ///< the host may use what it points to meanwhile
    const char* name = nullptr;  ///< what messages call it, if not "argument 2"
};

/// `function` is what cudaFuncSetAttribute knows the kernel by. `call` is deleted when no thread needs
/// it any more. No class of the standard library for each kernel: they take long to compile.
cudaError_t launch(const cudaLaunchConfig_t& config, const void* function, const KernelCall* call,
                   const Address* addresses, const Address* end, const LaunchPlace& place);

/// How many addresses an argument may hold. Bytes between members are no addresses, whatever was
/// there before; a compiler that cannot clear them leaves structs alone.
template <class T>
constexpr std::size_t addresses_in() {
    if (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) return 1;
#if __has_builtin(__builtin_clear_padding)
    // Of a lambda in the launch itself g++ 12 denies is_trivially_copyable.
    if (std::is_class_v<T> && std::is_trivially_copy_constructible_v<T> &&
        std::is_trivially_destructible_v<T> && alignof(T) >= alignof(void*))
        return sizeof(T) / sizeof(void*);
#endif
    return 0;
}

/// Notes the addresses that an argument may hold, behind the others.
template <class T>
void add_addresses(int argument, T value, Address*& end) {
    if constexpr (std::is_pointer_v<T>) {
        if constexpr (addresses_in<T>() == 1)
            *end++ = {const_cast<const void*>(static_cast<const volatile void*>(value)), argument,
                      -1, !std::is_const_v<std::remove_pointer_t<T>>,
                      std::is_volatile_v<std::remove_pointer_t<T>>};
    } else if constexpr (addresses_in<T>() > 0) {
        __builtin_clear_padding(&value);
        for (std::size_t at = 0; at + sizeof(void*) <= sizeof(T); at += sizeof(void*)) {
            const void* word = nullptr;
            std::memcpy(&word, reinterpret_cast<const char*>(&value) + at, sizeof word);
            *end++ = {word, argument, static_cast<int>(at), true};
        }
    }
}

template <class Function, class... Values>
class BoundKernel final : public KernelCall {
  public:
    BoundKernel(Function function, std::tuple<Values...> values)
        : function_(std::move(function)), values_(std::move(values)) {}
    void run_threads() const override {
        do call(std::index_sequence_for<Values...>{});
        while (start_next_thread());
    }

  private:
    template <std::size_t... I>
    void call(std::index_sequence<I...>) const {
        call_with(std::get<I>(values_)...);
    }
#ifdef CUDA_ON_CPU_CHECKED
    [[gnu::noinline, gnu::no_sanitize_thread]] void call_with(const Values&... values) const {
        fill_stack();  // no other call comes between
        function_(values...);
    }
#else
    void call_with(const Values&... values) const { function_(values...); }
#endif
    Function function_;
    std::tuple<Values...> values_;
};

template <class Function, class... Values>
cudaError_t launch_with(const cudaLaunchConfig_t& config, const void* address, Function function,
                        std::tuple<Values...> values, const LaunchPlace& place) {
    Address addresses[(std::size_t{1} + ... + addresses_in<Values>())];
    Address* end = addresses;
    const auto add_all = [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add_addresses(I + 1, std::get<I>(values), end), ...);
    };
    add_all(std::index_sequence_for<Values...>{});
    return launch(config, address,
                  new BoundKernel<Function, Values...>(std::move(function), std::move(values)),
                  addresses, end, place);
}

}  // namespace cuda_on_cpu

namespace cuda_on_cpu {

/// `arguments` points to each argument.
template <class... Parameters, std::size_t... I>
cudaError_t launch_indirect(const cudaLaunchConfig_t& config, void (*kernel)(Parameters...),
                            [[maybe_unused]] void** arguments, const LaunchPlace& place,
                            std::index_sequence<I...>) {
    return launch_with(
        config, reinterpret_cast<const void*>(kernel), kernel,
        std::tuple<Parameters...>(*static_cast<std::remove_cv_t<Parameters>*>(arguments[I])...),
        place);
}

}  // namespace cuda_on_cpu

// The place is what translate/ adds. It removes the cast, too: a void* does not say which parameters
// the kernel has.
#define CUDA_ON_CPU_PLACE(kernel) \
    ::cuda_on_cpu::LaunchPlace { kernel, __FILE__, __LINE__ }

template <class... Parameters>
cudaError_t cudaLaunchKernel(const cuda_on_cpu::LaunchPlace& place, void (*kernel)(Parameters...),
                             dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr) {
    return cuda_on_cpu::launch_indirect({grid, block, shared_bytes, stream}, kernel, arguments,
                                        place, std::index_sequence_for<Parameters...>{});
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(const cuda_on_cpu::LaunchPlace& place,
                                        void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
    cudaLaunchAttribute cooperative{cudaLaunchAttributeCooperative, {1}};
    return cuda_on_cpu::launch_indirect({grid, block, shared_bytes, stream, &cooperative, 1},
                                        kernel, arguments, place,
                                        std::index_sequence_for<Parameters...>{});
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cuda_on_cpu::LaunchPlace& place,
                               const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                  "the kernel takes another number of arguments");
    if (config == nullptr) return cudaErrorInvalidValue;
    return cuda_on_cpu::launch_with(
        *config, reinterpret_cast<const void*>(kernel), kernel,
        std::tuple<Parameters...>(std::forward<Arguments>(arguments)...), place);
}
