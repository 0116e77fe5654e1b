// SPDX-License-Identifier: MIT
// The environment variables.
#pragma once

#include <cstdint>

namespace cuda_on_cpu {

/// The whole number in an environment variable, or `standard` if it is not set or empty. If it is
/// not a number from `minimum` to `maximum`, the program ends with a message and exit code 2.
long setting(const char* name, long standard, long minimum, long maximum);

/// CUDA_ON_CPU_ORDER=forward (default), reverse, random or random:SEED (SEED is 1 if missing): the
/// order in which the blocks of a grid, the threads of a block and the streams run. A correct
/// program computes the same in each order.
struct Order {
    enum class Kind { forward, reverse, random } kind = Kind::forward;
    std::uint64_t seed = 1;
};

/// Reads the environment now; ends the program with exit code 2 if the value is invalid.
Order order_from_environment();

/// A permutation of 0 .. n-1 that needs no memory: i -> (factor i + offset) mod n, with factor and
/// n coprime. In random order `salt` gives each block a different one.
class Permutation {
  public:
    Permutation(const Order& order, std::uint64_t n, std::uint64_t salt);
    std::uint64_t operator[](std::uint64_t i) const {
        if (kind_ == Order::Kind::forward) return i;
        if (kind_ == Order::Kind::reverse) return n_ - 1 - i;
        return (i * factor_ + offset_) % n_;
    }

  private:
    Order::Kind kind_;
    std::uint64_t n_, factor_ = 1, offset_ = 0;  // factor < 2^16: no product overflows
};

}  // namespace cuda_on_cpu
