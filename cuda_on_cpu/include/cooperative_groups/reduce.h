// SPDX-License-Identifier: MIT
// Reductions and scans of cooperative groups of lanes.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

namespace detail {
/// Of the lanes of the group below `end`, in their order; `start` if there is none.
template <class T, class Function>
T fold(const cuda_on_cpu::LaneValues<T>& all, unsigned end, T start, Function combine) {
    bool first = true;
    for (unsigned lane = 0; lane < end; ++lane) {
        if ((all.present >> lane & 1U) == 0) continue;
        start = first ? all.value[lane] : combine(start, all.value[lane]);
        first = false;
    }
    return start;
}
}  // namespace detail

template <class Group, class T, class Function>
T reduce(const Group& group, T value, Function combine, const char* file = __builtin_FILE(),
         int line = __builtin_LINE()) {
    if constexpr (requires { group.lanes(); }) {
        const auto all = cuda_on_cpu::gather("reduce", group.lanes(), value, file, line);
        return detail::fold(all, 32, value, combine);
    } else {
        return group.fold(value, combine, file, line);
    }
}
template <class Group, class T, class Function = plus<T>>
T inclusive_scan(const Group& group, T value, Function combine = {},
                 const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    const auto all = cuda_on_cpu::gather("inclusive_scan", group.lanes(), value, file, line);
    return detail::fold(all, detail::lane() + 1, value, combine);
}
template <class Group, class T, class Function = plus<T>>
T exclusive_scan(const Group& group, T value, Function combine = {},
                 const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    const auto all = cuda_on_cpu::gather("exclusive_scan", group.lanes(), value, file, line);
    return detail::fold(all, detail::lane(), T{}, combine);
}

}  // namespace cooperative_groups
