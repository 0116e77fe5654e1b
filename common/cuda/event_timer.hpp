// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// How long the device works between two points of a stream. The emulator has no clock: its times
// are always 0 ms, and no row of results may contain one.
#pragma once

#include <functional>

#include "common/cuda/stream.hpp"

namespace convolab {

class EventTimer {
  public:
    void start(cudaStream_t stream = nullptr) { start_.record(stream); }
    void stop(cudaStream_t stream = nullptr) { stop_.record(stream); }
    /// The stream waits for stop(); the host continues.
    void make_wait(cudaStream_t stream) const { stop_.make_wait(stream); }
    /// Waits until the device has passed stop(), then gives the time since start().
    float milliseconds() const {
        stop_.wait();
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, start_.get(), stop_.get()));
        return ms;
    }

  private:
    Event start_, stop_;
};

/// Milliseconds of work, from an event before it to an event after it. The work runs on the default
/// stream or waits for it. A short kernel delays the device until the host has queued the work:
/// otherwise an idle device waits for the launch between the two events.
double event_ms(const std::function<void()>& work);

}  // namespace convolab
