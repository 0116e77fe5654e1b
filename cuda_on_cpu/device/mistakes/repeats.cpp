// SPDX-License-Identifier: MIT
// For `check`: tells the judge how many kernels were launched, and ends a program whose host launches
// the same kernels again and again, though nothing changes from one round to the next: the loop waits
// for a result that cannot come. A program that only takes times copies no results in such a loop.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <set>
#include <string>

#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/settings.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/guarded_bytes.hpp"

namespace cuda_on_cpu {
namespace {

double seconds_of_work() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A number for the kernel and the contents of the memory that it is given (FNV-1a of words).
std::uint64_t state_of(const Launch& launch) {
    std::uint64_t hash = static_cast<std::uint64_t>(launch.place.line);
    for (const Address& address : launch.addresses) {
        const Allocation a = find_allocation(address.value);
        if (a.memory == nullptr || !a.memory->is_open()) continue;
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < a.bytes; i += sizeof word) {
            std::memcpy(&word, a.begin + i, std::min(sizeof word, a.bytes - i));
            hash = (hash ^ word) * 1099511628211U;
            hash ^= hash >> 32U;
        }
    }
    return hash;
}

class Repeats final : public Observer {
  public:
    void begin_kernel(const Launch& launch) override {
        if (!is_checked()) return;
        ++launches_;
        if ((launches_ & (launches_ - 1)) == 0)
            write_record("kernels\t" + std::to_string(launches_) + '\n');
        const long limit = setting("CUDA_ON_CPU_TIMEOUT", 10, 0, 1000000);
        const double now = seconds_of_work();
        if (limit == 0 || now < 0.2 * static_cast<double>(limit)) return;
        if (states_.insert(state_of(launch)).second) {
            if (states_.size() > most) states_.clear();
            begin_ = now;
            repeated_ = copies_ = 0;
        }
        if (++repeated_ < 1000 || copies_ < repeated_ / most ||
            now - begin_ < static_cast<double>(limit))
            return;
        report(Weight::fatal,
               {Kind::repeats, "the host launches " + name_of(launch.place) +
                                   ", again and again: " + std::to_string(repeated_) +
                                   " launches in the last " + std::to_string(limit) +
                                   " s have changed nothing, so its loop does not end."});
        std::fflush(nullptr);
        _exit(1);
    }
    void read(const void*, const std::function<Frames()>&) override { ++copies_; }

  private:
    static constexpr unsigned most = 16;  // states of a round: two buffers that are swapped
    unsigned long launches_ = 0, repeated_ = 0, copies_ = 0;
    double begin_ = 0;
    std::set<std::uint64_t> states_;
};
[[gnu::constructor(101)]] void begin_repeats() { new Repeats; }

}  // namespace
}  // namespace cuda_on_cpu
