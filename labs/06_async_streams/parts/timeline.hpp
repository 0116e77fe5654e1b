// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// When each step of a run began and ended: an event in its stream before it and one behind it. They
// cost a microsecond or two each, so they are there only while a timeline is drawn.
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
    /// Notes the time on each device, all idle; the clocks of two devices agree to the few
    /// microseconds that lie between these calls.
    explicit Timeline(int devices);

    int next_part() { return parts_++; }
    void begin(const StepName& name);
    void end();
    /// After the run, all of it finished.
    std::vector<Span> spans() const;

  private:
    struct Step {
        StepName name;
        Event begin, end;
    };
    int parts_ = 0;
    std::vector<Event> origins_;  ///< one a device
    std::vector<Step> steps_;
};

/// From here to the end of the scope is a step; without a timeline nothing.
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
