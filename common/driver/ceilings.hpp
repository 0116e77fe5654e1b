// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "common/variant/convolver.hpp"

namespace convolab {

/// What rates are compared with, each measured once: a copy of the same bytes, or the bus.
class Ceilings {
  public:
    Ceilings(Backend& backend, bool cold) : backend_(backend), cold_(cold) {}

    /// GB/s
    double copy(std::int64_t bytes, int threads) {
        double& speed = copies_[{bytes, threads}];
        if (speed == 0) speed = backend_.copy_gb_per_s(bytes, threads, cold_);
        return speed;
    }
    const BusSpeed& bus(std::int64_t bytes, int devices) {
        BusSpeed& speed = buses_[{bytes, devices}];
        if (speed.both == 0) speed = backend_.bus_speed(bytes / 2, devices);
        return speed;
    }

  private:
    Backend& backend_;
    bool cold_;
    std::map<std::pair<std::int64_t, int>, double> copies_;
    std::map<std::pair<std::int64_t, int>, BusSpeed> buses_;
};

}  // namespace convolab
