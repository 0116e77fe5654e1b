// SPDX-License-Identifier: MIT
// The kernels are compiled once for each instruction set. avx2.cpp and vectors64.hpp (for avx512.cpp
// and avx512vnni.cpp) define V, their vector, and include find.hpp, which includes halves.hpp,
// binomial.hpp, separable.hpp and direct.hpp, inside the region that is compiled for that set. So
// these files are no interfaces: they have no include guard, and everything in them is private to
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
inline Halves kept(Halves a) { return {V::kept(a.low), V::kept(a.high)}; }

/// Stores the bytes at `at` of a row. Non-temporal stores write whole cache lines, because
/// otherwise each half would be a separate write to memory. So a vector of half a line waits in
/// `first` for the other half.
inline void store(std::uint8_t* row, std::int64_t at, V::Reg bytes, bool stream, V::Reg& first) {
    if (!stream) {
        V::store(row + at, bytes);
    } else if (V::kBytes == kLine) {
        V::stream(row + at, bytes);
    } else if (at % kLine == 0) {
        first = bytes;
    } else {
        V::stream(row + at - V::kBytes, first);
        V::stream(row + at, bytes);
    }
}

}  // namespace
}  // namespace convolab
