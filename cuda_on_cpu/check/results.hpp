// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A number for all results of the device together: whether two runs have the same ones. Reading
// what nobody has written is a mistake only where the results depend on it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace cuda_on_cpu::check {

class Results {
  public:
    /// The host gets these bytes.
    void add(std::uintptr_t begin, std::size_t bytes) {
        const auto* const first = reinterpret_cast<const unsigned char*>(begin);
        for (std::size_t i = 0; i < bytes; ++i) hash_ = (hash_ ^ first[i]) * 1099511628211U;
    }
    /// For the judge, who asks for it.
    void print() const {
        if (std::getenv("CUDA_ON_CPU_RESULTS") != nullptr)
            std::fprintf(stderr, "CUDA on the CPU has results: %016llx\n",
                         static_cast<unsigned long long>(hash_));
    }

  private:
    std::uint64_t hash_ = 14695981039346656037U;  // FNV-1a
};

}  // namespace cuda_on_cpu::check
