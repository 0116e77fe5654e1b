// SPDX-License-Identifier: MIT
// Streams and events that destroy themselves, and time on the device.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <utility>

#include "common/cuda/check.hpp"

namespace convolab {

/// A stream that does not synchronise with the default stream. Destroying it does not wait.
class Stream {
  public:
    Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() {
        if (stream_ != nullptr) static_cast<void>(cudaStreamDestroy(stream_));
    }
    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    Stream& operator=(Stream&& other) noexcept {
        std::swap(stream_, other.stream_);
        return *this;
    }

    cudaStream_t get() const { return stream_; }
    /// Waits for all work issued so far; errors inside kernels are reported here.
    void wait() const { CUDA_CHECK(cudaStreamSynchronize(stream_)); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// A point in a stream; it carries a time unless `flags` says cudaEventDisableTiming.
class Event {
  public:
    explicit Event(unsigned flags = cudaEventDefault) {
        CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags));
    }
    ~Event() {
        if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
    }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
        std::swap(event_, other.event_);
        return *this;
    }

    cudaEvent_t get() const { return event_; }
    void record(cudaStream_t stream = nullptr) { CUDA_CHECK(cudaEventRecord(event_, stream)); }
    /// The host waits.
    void wait() const { CUDA_CHECK(cudaEventSynchronize(event_)); }
    /// The stream waits for this point; the host continues.
    void make_wait(cudaStream_t stream) const {
        CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0));
    }

  private:
    cudaEvent_t event_ = nullptr;
};

/// How long the device works between two points of a stream. The emulator has no clock: its times
/// are always 0 ms, and no row of results may contain one.
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
