// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The kernels are compiled once for each instruction set. avx2.cpp, avx512.cpp and avx512vnni.cpp
// define V, their vector, and include halves.hpp, binomial.hpp, separable.hpp, direct.hpp and
// find.hpp, in this order, inside the region that is compiled for that set. So these files are no
// interfaces: they have no include guard, include nothing, and everything in them is private to
// the file that includes them.

namespace convolab {
namespace {

/// Two vectors of bytes become two vectors of 16-bit sums: the low and the high halves of each
/// 128-bit lane. V::pack() puts such halves back in order, so that no sample has to cross a lane.
struct Halves {
    V::Reg low, high;
};
inline Halves multiply(V::Reg a, V::Reg b, V::Reg taps) {
    return {V::multiply_bytes(V::low_bytes(a, b), taps),
            V::multiply_bytes(V::high_bytes(a, b), taps)};
}
inline Halves operator+(Halves a, Halves b) {
    return {V::add16(a.low, b.low), V::add16(a.high, b.high)};
}

template <bool Stream>
inline void store(std::uint8_t* to, V::Reg bytes) {
    if constexpr (Stream)
        V::stream(to, bytes);
    else
        V::store(to, bytes);
}
inline void store(std::uint8_t* to, V::Reg bytes, bool stream) {
    stream ? V::stream(to, bytes) : V::store(to, bytes);
}

}  // namespace
}  // namespace convolab
