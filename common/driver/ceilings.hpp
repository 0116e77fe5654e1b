// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>

#include "common/variant/backend.hpp"

namespace convolab {

/// What rates are compared with, each measured once per run of the program: the copy, and the bus.
class Ceilings {
  public:
    explicit Ceilings(Backend& backend) : backend_(backend) {}

    const CopySpeed& copy() {
        if (!copy_) copy_ = backend_.copy_speed();
        return *copy_;
    }
    const BusSpeed& bus(int devices) {
        const auto found = buses_.find(devices);
        if (found != buses_.end()) return found->second;
        return buses_[devices] = backend_.bus_speed(devices);
    }

  private:
    Backend& backend_;
    std::optional<CopySpeed> copy_;
    std::map<int, BusSpeed> buses_;
};

}  // namespace convolab
