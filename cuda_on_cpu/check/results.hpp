// SPDX-License-Identifier: MIT
// A number for all results of the device together: it shows whether two runs have the same results.
// Reading memory that was never written is a mistake only if the results depend on it.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "device/mistakes/report.hpp"

namespace cuda_on_cpu::check {

class Results {
  public:
    /// The host gets these bytes.
    void add(std::uintptr_t begin, std::size_t bytes) {
        const auto* const first = reinterpret_cast<const unsigned char*>(begin);
        std::size_t i = 0;
        for (std::uint64_t word = 0; i + sizeof word <= bytes; i += sizeof word) {
            std::memcpy(&word, first + i, sizeof word);
            mix(word);
        }
        for (; i < bytes; ++i) mix(first[i]);
    }
    /// What is added up in another order differs by a small part of it.
    void add_sum(double sum) { largest_ = std::fmax(largest_, std::fabs(sum)); }
    /// A kernel has written them that uses atomic functions, which may hand out places in a list.
    void add_list() { has_list_ = true; }
    /// For the judge.
    void print() const {
        if (is_checked())
            std::fprintf(stderr, "CUDA on the CPU has results: %016llx %g %d\n",
                         static_cast<unsigned long long>(hash_), largest_, has_list_ ? 1 : 0);
    }

  private:
    // FNV-1a of whole words; its product alone would carry no bit down.
    void mix(std::uint64_t word) {
        hash_ = (hash_ ^ word) * 1099511628211U;
        hash_ ^= hash_ >> 32U;
    }
    std::uint64_t hash_ = 14695981039346656037U;
    double largest_ = 0;
    bool has_list_ = false;
};

}  // namespace cuda_on_cpu::check
