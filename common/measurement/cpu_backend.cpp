// SPDX-License-Identifier: MIT
#include "common/measurement/cpu_backend.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "common/measurement/machine.hpp"
#include "common/measurement/statistics.hpp"
#include "common/threads/cpus.hpp"
#include "common/threads/thread_team.hpp"
#include "common/variant/backend.hpp"
#ifdef __x86_64__
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // of g++ 12's own header (its bug 105593)
#endif
#include <immintrin.h>
#endif

namespace convolab {
namespace {

#ifdef __x86_64__
constexpr std::size_t kLine = 64;

/// Copies what stands before the first whole line of the output, and says how much that is.
std::size_t copy_to_line(char* to, const char* from, std::size_t bytes) {
    const std::size_t over = reinterpret_cast<std::uintptr_t>(to) % kLine;
    const std::size_t before = std::min(bytes, over == 0 ? 0 : kLine - over);
    std::memcpy(to, from, before);
    return before;
}

void stream16(char* to, const char* from, std::size_t bytes) {
    std::size_t at = copy_to_line(to, from, bytes);
    for (; at + kLine <= bytes; at += kLine) {
        __m128i part[4];
        for (int i = 0; i < 4; ++i)
            part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at) + i);
        for (int i = 0; i < 4; ++i)
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + at) + i, part[i]);
    }
    _mm_sfence();
    std::memcpy(to + at, from + at, bytes - at);
}

__attribute__((target("avx512f"))) void stream64(char* to, const char* from, std::size_t bytes) {
    std::size_t at = copy_to_line(to, from, bytes);
    for (; at + kLine <= bytes; at += kLine)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to + at), _mm512_loadu_si512(from + at));
    _mm_sfence();
    std::memcpy(to + at, from + at, bytes - at);
}
#endif

double milliseconds(ThreadTeam& team, const std::function<void(int)>& work) {
    const auto start = std::chrono::steady_clock::now();
    team.run(work);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
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

    CopySpeed copy_speed() override {
        static const CopySpeed speed = fastest_copy(kCeilingBytes, core_count(), copies());
        return speed;
    }

    void flush_cache() override {
        // At least the machine's last-level caches together; every line is written.
        static std::vector<char> large(
            static_cast<std::size_t>(std::max(std::int64_t{512} << 20, last_cache_bytes())));
        for (std::size_t i = 0; i < large.size(); i += 64) ++large[i];
    }
};

}  // namespace

std::vector<Copy> copies() {
    std::vector<Copy> all = {{"memcpy", [](char* to, const char* from, std::size_t bytes) {
                                  std::memcpy(to, from, bytes);
                              }}};
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        all.push_back({"64-byte stores past the caches", stream64});
    else
        all.push_back({"16-byte stores past the caches", stream16});
#endif
    return all;
}

CopySpeed fastest_copy(std::int64_t bytes, int threads, const std::vector<Copy>& ways) {
    constexpr int kRuns = 15;
    const auto half = static_cast<std::size_t>(std::max<std::int64_t>(1, bytes / 2));
    std::vector<char> from(half);
    std::vector<char> to(half);
    const Copy* way = nullptr;
    ThreadTeam team(threads);
    const auto share = [&](int i) { return half * i / threads; };
    const std::function<void(int)> touch = [&](int i) {  // memory next to the thread's processor
        std::memset(from.data() + share(i), 1, share(i + 1) - share(i));
        std::memset(to.data() + share(i), 2, share(i + 1) - share(i));
    };
    const std::function<void(int)> work = [&](int i) {
        way->copy(to.data() + share(i), from.data() + share(i), share(i + 1) - share(i));
    };
    team.run(touch);
    double best_ms = 0;
    const Copy* best = nullptr;
    for (const Copy& each : ways) {
        way = &each;
        team.run(work);  // a warm-up
        std::vector<double> ms;
        for (int i = 0; i < kRuns; ++i) ms.push_back(milliseconds(team, work));
        const double median = statistics(ms).median;
        if (best != nullptr && median >= best_ms) continue;
        best_ms = median;
        best = &each;
    }
    return {static_cast<double>(2 * half) / (best_ms * 1e6),
            std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") + best->how};
}

Backend& cpu_backend() {
    static CpuBackend backend;
    return backend;
}

}  // namespace convolab
