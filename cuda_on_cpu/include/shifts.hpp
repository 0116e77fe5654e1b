// SPDX-License-Identifier: MIT
// What translate/shifts.hpp makes of shifts in device code. `a << By() * b + 1` is `a << (By() * b + 1)`: By takes the distance, which
// keeps its place in the program through the sum, and the shift looks at it. Types of the program's own are passed on as they are.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <type_traits>

namespace cuda_on_cpu {

/// Integers, and enumerators that are numbers.
template <class T>
concept IsShifted = std::is_integral_v<T> ||(std::is_enum_v<T>&& std::is_convertible_v<T, int>);

struct By {
    const char* file;
    int line;
    constexpr explicit By(const char* of_file = __builtin_FILE(), int of_line = __builtin_LINE())
        : file(of_file), line(of_line) {}
};
template <class T>
struct Distance {
    T value;
    By place;
    constexpr operator T() const { return value; }  // where something else than a number is shifted
};

template <class T>
[[gnu::always_inline]] constexpr auto distance_of(T value, By place) {
    if constexpr (IsShifted<T>)
        return Distance<decltype(+value)>{+value, place};
    else
        return value;
}
template <class T>
[[gnu::always_inline]] constexpr auto operator*(By place, T value) {
    return distance_of(value, place);
}
inline auto operator*(By, std::ostream& (*manipulator)(std::ostream&)) { return manipulator; }

#define CUDA_ON_CPU_OF_DISTANCE(sign)                                                \
    template <class T, class U>                                                      \
    [[gnu::always_inline]] constexpr auto operator sign(const Distance<T>& a, U b) { \
        return distance_of(a.value sign b, a.place);                                 \
    }
CUDA_ON_CPU_OF_DISTANCE(*)
CUDA_ON_CPU_OF_DISTANCE(/)
CUDA_ON_CPU_OF_DISTANCE(%)
CUDA_ON_CPU_OF_DISTANCE(+)
CUDA_ON_CPU_OF_DISTANCE(-)
#undef CUDA_ON_CPU_OF_DISTANCE

struct FarShift {
    std::uint64_t value, distance;  ///< numbers below 0 as in 64 bits
    unsigned bits;
    bool is_left, is_signed, is_distance_signed;
    By place;
};
/// A shift by the number's width or more: tells it, and gives a GPU's value; on the host the processor's.
std::uint64_t shift_far(const FarShift& shift);

template <bool is_left, IsShifted T, class U>
[[gnu::always_inline]] constexpr auto shifted(T a, Distance<U> by) {
    using Value = decltype(+a);
    constexpr unsigned bits = 8 * sizeof(Value);
    const auto near = static_cast<int>(by.value & static_cast<U>(bits - 1));
    if (static_cast<std::make_unsigned_t<U>>(by.value) < bits) [[likely]]
        return is_left ? static_cast<Value>(+a << near) : static_cast<Value>(+a >> near);
    return static_cast<Value>(
        shift_far({static_cast<std::uint64_t>(+a), static_cast<std::uint64_t>(by.value), bits,
                   is_left, std::is_signed_v<Value>, std::is_signed_v<U>, by.place}));
}
template <IsShifted T, class U>
[[gnu::always_inline]] constexpr auto operator<<(T a, Distance<U> by) {
    return shifted<true>(a, by);
}
template <IsShifted T, class U>
[[gnu::always_inline]] constexpr auto operator>>(T a, Distance<U> by) {
    return shifted<false>(a, by);
}

/// The value of `a` in `a = Shifted(a) <<= b`: the whole of b stands behind an assignment, whatever its operators are.
template <class T>
struct Shifted {
    T value;
    By place;
    constexpr explicit Shifted(T a, By of_place) : value(a), place(of_place) {}
    template <class U>
    [[gnu::always_inline]] constexpr auto operator<<=(U b) const {
        if constexpr (IsShifted<T>)
            return value << distance_of(b, place);
        else {
            T a = value;
            a <<= b;
            return a;
        }
    }
    template <class U>
    [[gnu::always_inline]] constexpr auto operator>>=(U b) const {
        if constexpr (IsShifted<T>)
            return value >> distance_of(b, place);
        else {
            T a = value;
            a >>= b;
            return a;
        }
    }
};

}  // namespace cuda_on_cpu

#ifdef CUDA_ON_CPU_COUNTED  // which does not look at values
#define CUDA_ON_CPU_BY
#else
#define CUDA_ON_CPU_BY ::cuda_on_cpu::By()*
#endif
#define CUDA_ON_CPU_SHIFTED(...) ::cuda_on_cpu::Shifted((__VA_ARGS__), ::cuda_on_cpu::By())
