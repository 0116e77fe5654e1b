// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The times at which the steps of a run begin and end: four events in the stream of each band or
// frame. Recording an event takes time, so it is done only for a timeline.
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "common/cuda/stream.hpp"
#include "common/variant/convolver.hpp"

namespace convolab::async_streams {

class Timeline {
  public:
    /// Records the start time on each device while all are idle. The times of two devices agree up
    /// to the time between these calls.
    explicit Timeline(int devices);

    /// A band or frame on the stream, of the current device; and the end of its last step so far.
    void begin(cudaStream_t stream);
    void end_step();
    /// Waits for the devices, then gives the steps of the run.
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

/// The steps of a band or frame, for a timeline where there is one. A step begins where the one
/// before it ends.
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
