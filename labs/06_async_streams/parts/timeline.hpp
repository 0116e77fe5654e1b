// SPDX-License-Identifier: MIT
// The times at which the steps of a run begin and end: four events in the stream of each band or
// frame. Events are recorded only for a timeline, because recording takes time.
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "common/cuda/stream.hpp"
#include "common/variant/convolver.hpp"

namespace convolab::async_streams {

class Timeline {
  public:
    /// Records the start time on each device while all are idle. The clocks of two devices differ
    /// by the time between these calls.
    explicit Timeline(int devices);

    /// begin: a band or frame begins on this stream of the current device. end_step: its step ends.
    void begin(cudaStream_t stream);
    void end_step();
    /// Waits for the devices, then returns the steps of the run.
    std::vector<Span> spans() const;

  private:
    struct Part {
        int device;
        cudaStream_t stream;
        std::vector<Event> events;  ///< before, between and after its steps
    };
    std::vector<Event> origins_;  ///< one per device
    std::vector<Part> parts_;
};

/// The steps of a band or frame, for a timeline if there is one. A step begins when the one before
/// it ends.
class TimedPart {
  public:
    explicit TimedPart(Timeline* timeline, cudaStream_t stream = nullptr) : timeline_(timeline) {
        if (timeline_ != nullptr) timeline_->begin(stream);
    }
    void copied_in() { end_step(); }
    void filtered() { end_step(); }
    void copied_out() { end_step(); }

  private:
    void end_step() {
        if (timeline_ != nullptr) timeline_->end_step();
    }
    Timeline* timeline_;
};

}  // namespace convolab::async_streams
