// SPDX-License-Identifier: MIT
// CUDA's atomic functions: each returns the old value. Kernels run on one CPU thread, and a thread
// is never interrupted between the load and the store (is_in_atomic), which are atomic so that
// `check` knows them. After some functions that change nothing, other threads have a turn.
#pragma once

#include <type_traits>

#include "keywords.hpp"

namespace cuda_on_cpu {

inline void note_unchanged() {
    constexpr unsigned often = 64;
    if (records_accesses || ++unchanged % often == 0) let_others_run();
}

template <class T>
inline void check_alignment(const T* address) {
    if (reinterpret_cast<unsigned long>(address) % sizeof(T) != 0)
        stop_misaligned_atomic(address, sizeof(T));
}

// A store that may be done twice without harm, as in atomicMax: this order tells `check` so.
constexpr int may_repeat = __ATOMIC_RELEASE;

template <int Order = __ATOMIC_RELAXED, class T, class Function>
inline T atomic_update(T* address, Function new_value) {
    check_alignment(address);
    T old;
    if (records_accesses)
        begin_atomic();
    else
        is_in_atomic = 1;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    T next = new_value(old);
    __atomic_store(address, &next, Order);
    if (records_accesses)
        end_atomic();
    else
        is_in_atomic = 0;
    if (next == old) note_unchanged();
    return old;
}

// CUDA has these functions for a few types only; a type that nvcc rejects does not compile here.
template <class T>
concept AtomicInteger =
    std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, unsigned long long>;
template <class T>
concept AtomicSigned = AtomicInteger<T> || std::is_same_v<T, long long>;
template <class T>
concept AtomicAddable = AtomicInteger<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;

}  // namespace cuda_on_cpu

template <cuda_on_cpu::AtomicAddable T>
inline T atomicAdd(T* address, std::type_identity_t<T> value) {
    return cuda_on_cpu::atomic_update(address, [value](T old) {
        if constexpr (std::is_same_v<T, int>)  // wraps around, as on the GPU
            return static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value));
        if constexpr (cuda_on_cpu::records_accesses && std::is_floating_point_v<T>)
            cuda_on_cpu::sum_of_floats(old + value);
        return static_cast<T>(old + value);
    });
}
inline int atomicSub(int* address, int value) {
    return cuda_on_cpu::atomic_update(address, [value](int old) {
        return static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value));
    });
}
inline unsigned atomicSub(unsigned* address, unsigned value) {
    return cuda_on_cpu::atomic_update(address, [value](unsigned old) { return old - value; });
}
template <cuda_on_cpu::AtomicSigned T>
inline T atomicMax(T* address, std::type_identity_t<T> value) {
    return cuda_on_cpu::atomic_update<cuda_on_cpu::may_repeat>(
        address, [value](T old) { return old < value ? value : old; });
}
template <cuda_on_cpu::AtomicSigned T>
inline T atomicMin(T* address, std::type_identity_t<T> value) {
    return cuda_on_cpu::atomic_update<cuda_on_cpu::may_repeat>(
        address, [value](T old) { return value < old ? value : old; });
}
template <cuda_on_cpu::AtomicSigned T>
inline T atomicAnd(T* address, std::type_identity_t<T> value) {
    return cuda_on_cpu::atomic_update<cuda_on_cpu::may_repeat>(
        address, [value](T old) { return old & value; });
}
template <cuda_on_cpu::AtomicSigned T>
inline T atomicOr(T* address, std::type_identity_t<T> value) {
    return cuda_on_cpu::atomic_update<cuda_on_cpu::may_repeat>(
        address, [value](T old) { return old | value; });
}
template <cuda_on_cpu::AtomicSigned T>
inline T atomicXor(T* address, std::type_identity_t<T> value) {
    return cuda_on_cpu::atomic_update(address, [value](T old) { return old ^ value; });
}
template <class T>
requires cuda_on_cpu::AtomicInteger<T> || std::is_same_v<T, float>
inline T atomicExch(T* address, std::type_identity_t<T> value) {
    return cuda_on_cpu::atomic_update(address, [value](T) { return value; });
}
template <class T>
requires cuda_on_cpu::AtomicInteger<T> || std::is_same_v<T, unsigned short>
inline T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
    if constexpr (!cuda_on_cpu::records_accesses)
        return cuda_on_cpu::atomic_update(address,
                                          [=](T old) { return old == compare ? value : old; });
    cuda_on_cpu::check_alignment(address);
    T old = compare;
    __atomic_compare_exchange_n(address, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (old != compare) cuda_on_cpu::note_unchanged();
    return old;
}
/// ((old >= limit) ? 0 : old + 1)
inline unsigned atomicInc(unsigned* address, unsigned limit) {
    return cuda_on_cpu::atomic_update(address,
                                      [limit](unsigned old) { return old >= limit ? 0 : old + 1; });
}
/// ((old == 0 || old > limit) ? limit : old - 1)
inline unsigned atomicDec(unsigned* address, unsigned limit) {
    return cuda_on_cpu::atomic_update(
        address, [limit](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}

// With the scope of a block or of the whole system: here the same.
#define CUDA_ON_CPU_SCOPED(name)                      \
    template <class T, class... V>                    \
    inline T name##_block(T* address, V... values) {  \
        return name(address, values...);              \
    }                                                 \
    template <class T, class... V>                    \
    inline T name##_system(T* address, V... values) { \
        return name(address, values...);              \
    }
CUDA_ON_CPU_SCOPED(atomicAdd)
CUDA_ON_CPU_SCOPED(atomicSub)
CUDA_ON_CPU_SCOPED(atomicMax)
CUDA_ON_CPU_SCOPED(atomicMin)
CUDA_ON_CPU_SCOPED(atomicAnd)
CUDA_ON_CPU_SCOPED(atomicOr)
CUDA_ON_CPU_SCOPED(atomicXor)
CUDA_ON_CPU_SCOPED(atomicExch)
CUDA_ON_CPU_SCOPED(atomicCAS)
CUDA_ON_CPU_SCOPED(atomicInc)
CUDA_ON_CPU_SCOPED(atomicDec)
#undef CUDA_ON_CPU_SCOPED
