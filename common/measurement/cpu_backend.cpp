// SPDX-License-Identifier: MIT
#include "common/measurement/cpu_backend.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

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

CopyTimes::CopyTimes(std::int64_t bytes, int threads, std::vector<Copy> ways)
    : threads_(threads),
      ways_(std::move(ways)),
      ms_(ways_.size()),
      from_(static_cast<std::size_t>(std::max<std::int64_t>(1, bytes / 2))),
      to_(from_.size()) {}

void CopyTimes::time(int runs) {
    ThreadTeam team(threads_);
    const auto share = [&](int i) { return from_.size() * i / threads_; };
    const std::function<void(int)> touch = [&](int i) {  // memory next to the thread's processor
        std::memset(from_.data() + share(i), 1, share(i + 1) - share(i));
        std::memset(to_.data() + share(i), 2, share(i + 1) - share(i));
    };
    team.run(touch);
    for (std::size_t w = 0; w < ways_.size(); ++w) {
        const std::function<void(int)> work = [&](int i) {
            ways_[w].copy(to_.data() + share(i), from_.data() + share(i), share(i + 1) - share(i));
        };
        team.run(work);  // a warm-up
        for (int i = 0; i < runs; ++i) ms_[w].push_back(milliseconds(team, work));
    }
}

CopySpeed CopyTimes::fastest() const {
    std::vector<double> medians;
    for (const auto& ms : ms_) medians.push_back(statistics(ms).median);
    const auto best = std::min_element(medians.begin(), medians.end());
    return {static_cast<double>(2 * from_.size()) / (*best * 1e6),
            std::to_string(threads_) + (threads_ == 1 ? " thread, " : " threads, ") +
                ways_[static_cast<std::size_t>(best - medians.begin())].how};
}

CopySpeed fastest_copy(std::int64_t bytes, int threads, const std::vector<Copy>& ways) {
    CopyTimes times(bytes, threads, ways);
    times.time(kCopyRuns);
    return times.fastest();
}

Backend& cpu_backend() {
    static CpuBackend backend;
    return backend;
}

}  // namespace convolab
