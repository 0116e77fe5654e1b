// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the rows of one run of bench share, and a variant that is prepared to run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/driver/tasks.hpp"
#include "common/measurement/disturbance.hpp"
#include "common/measurement/machine_facts.hpp"
#include "common/threads/pinning.hpp"

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

/// What all rows of one run of the program share.
struct BenchSession {
    /// Pins the threads, unless the options say no.
    BenchSession(const Lab& lab, const Options& options, Tasks& tasks);
    ~BenchSession() { unpin_threads(); }
    BenchSession(const BenchSession&) = delete;
    BenchSession& operator=(const BenchSession&) = delete;

    Ceilings& ceilings(Backend& backend) {
        return ceilings_.try_emplace(&backend, backend).first->second;
    }

    const Lab& lab;
    const Options& options;
    Tasks& tasks;
    const Row machine = machine_facts();                       ///< before the first measurement
    const std::string gpu_clocks = lab.backend->gpu_clocks();  ///< likewise
    CpuWatch watch;

  private:
    std::map<Backend*, Ceilings> ceilings_;
};

/// A variant with its job and its frames. Two frames are a clip that is played to and fro.
struct PreparedVariant {
    PreparedVariant(BenchSession& session, const Task& task);
    PreparedVariant(const PreparedVariant&) = delete;
    PreparedVariant& operator=(const PreparedVariant&) = delete;

    /// The next step of the clip; nothing where there is one picture.
    void next_frame();
    /// Throws Error where the output is not the reference's.
    void require_right_output();

    const Case& truth;
    std::vector<Image> clip;  ///< a copy of truth.frames where there are two
    Job job;
    std::unique_ptr<Convolver> convolver;
    bool backward = false;  ///< the clip stands with its frames exchanged
};

/// Whether the task's memory is at most half of what is free: then it may wait for its turns beside
/// others.
bool fits_beside_others(BenchSession& session, const Task& task);

}  // namespace convolab
