// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The times at which each step of a run begins and ends: an event in the step's stream before it and
// one after it. Recording an event takes time, so it is done only for a timeline.
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "common/cuda/stream.hpp"
#include "common/variant/convolver.hpp"

namespace convolab::async_streams {

struct StepName {
    int device;
    cudaStream_t stream;
    int part;
    const char* what;
};

class Timeline {
  public:
    /// Records the start time on each device while all are idle. The times of two devices agree up to
    /// the time between these calls.
    explicit Timeline(int devices);

    int next_part() { return parts_++; }
    void begin(const StepName& name);
    void end();
    /// Waits for the devices, then gives the steps of the run.
    std::vector<Span> spans() const;

  private:
    struct Step {
        StepName name;
        Event begin, end;
    };
    int parts_ = 0;
    std::vector<Event> origins_;  ///< one per device
    std::vector<Step> steps_;
};

/// A step, from here to the end of the scope. Without a timeline it does nothing.
class TimedStep {
  public:
    TimedStep(Timeline* timeline, const StepName& name) : timeline_(timeline) {
        if (timeline_ != nullptr) timeline_->begin(name);
    }
    ~TimedStep() noexcept(false) {
        if (timeline_ != nullptr) timeline_->end();
    }
    TimedStep(const TimedStep&) = delete;
    TimedStep& operator=(const TimedStep&) = delete;

  private:
    Timeline* timeline_;
};

}  // namespace convolab::async_streams
