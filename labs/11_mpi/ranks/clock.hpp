// SPDX-License-Identifier: MIT
// Where the time of one rank goes: clock.compute([&] { ... }) calls the function and adds its time.
#pragma once

#include <chrono>

#include "common/variant/convolver.hpp"

namespace convolab::mpi {

class RankClock {
  public:
    template <class Work>
    void compute(const Work& work) {
        add(times_.compute_ms, work);
    }
    template <class Work>
    void exchange(const Work& work) {
        add(times_.exchange_ms, work);
    }
    template <class Work>
    void wait(const Work& work) {
        add(times_.wait_ms, work);
    }
    const RankTimes& times() const { return times_; }

  private:
    template <class Work>
    static void add(double& part, const Work& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        part += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                    .count();
    }

    RankTimes times_;
};

}  // namespace convolab::mpi
