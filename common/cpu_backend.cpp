// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "common/convolver.hpp"
#include "common/machine.hpp"
#include "common/statistics.hpp"

namespace convolab {
namespace {

/// Copies from one buffer to the other, each thread its own contiguous share.
void parallel_copy(const std::vector<char>& from, std::vector<char>& to, int threads) {
    const auto share = [&](int i) {
        const std::size_t first = from.size() * i / threads;
        const std::size_t last = from.size() * (i + 1) / threads;
        std::memcpy(to.data() + first, from.data() + first, last - first);
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(share, i);
    share(0);
    for (auto& thread : others) thread.join();
}

class CpuBackend final : public Backend {
  public:
    std::string name() const override { return "cpu"; }
    std::string device() const override { return cpu_model(); }
    std::string driver() const override { return ""; }
    bool is_timed() const override { return true; }
    bool is_concurrent() const override { return true; }

    double time_ms(const std::function<void()>& work) override {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> ms =
            std::chrono::steady_clock::now() - start;
        return ms.count();
    }

    double copy_gb_per_s(std::int64_t bytes, int threads) override {
        constexpr int kRuns = 21;
        const auto half = static_cast<std::size_t>(std::max<std::int64_t>(1, bytes / 2));
        std::vector<char> from(half, 1);
        std::vector<char> to(half, 2);
        std::vector<double> ms;
        parallel_copy(from, to, threads);
        for (int i = 0; i < kRuns; ++i)
            ms.push_back(time_ms([&] { parallel_copy(from, to, threads); }));
        return static_cast<double>(2 * half) / (statistics(ms).median * 1e6);
    }

    void flush_cache() override {
        // Larger than the last cache of any machine we know; every line is written.
        static std::vector<char> large(std::size_t{512} << 20);
        for (std::size_t i = 0; i < large.size(); i += 64) ++large[i];
    }
};

}  // namespace

Backend& cpu_backend() {
    static CpuBackend backend;
    return backend;
}

}  // namespace convolab
