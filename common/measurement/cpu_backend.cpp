// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <chrono>
#include <vector>

#include "common/measurement/copy_speed.hpp"
#include "common/measurement/machine.hpp"
#include "common/threads/topology.hpp"
#include "common/variant/backend.hpp"

namespace convolab {
namespace {

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

    CopySpeed copy_speed() override { return fastest_copy(kCeilingBytes, core_count(), copies()); }

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
