// SPDX-License-Identifier: MIT
// A contender on a GPU. Only kernels are timed, by one pair of events around all calls. Call i
// works on pair of images i modulo buffers: with enough pairs, none is still in the cache.
#pragma once

#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"
#include "tools/peers/peer.hpp"

namespace peer {

class GpuContender : public Contender {
  public:
    explicit GpuContender(int buffers) : buffers_(buffers) {}
    void run() final {
        launch_on(next_);
        next_ = (next_ + 1) % buffers_;
    }
    double time_ms(int calls) final {
        timer_.start();
        for (int i = 0; i < calls; ++i) run();
        timer_.stop();
        const double ms = timer_.milliseconds();
        CUDA_CHECK(cudaGetLastError());
        return ms;
    }

  protected:
    /// Launches the work on this pair of images, on the default stream.
    virtual void launch_on(int buffer) = 0;
    int buffers() const { return buffers_; }

  private:
    int buffers_;
    int next_ = 0;
    convolab::EventTimer timer_;
};

/// Pairs of input and output images; all inputs have the same pixels.
class DevicePairs {
  public:
    DevicePairs(const PeerJob& job, int buffers) {
        for (int i = 0; i < buffers; ++i) {
            in_.emplace_back(bytes(job));
            out_.emplace_back(bytes(job));
            CUDA_CHECK(
                cudaMemcpy(in_.back().data(), job.pixels, bytes(job), cudaMemcpyHostToDevice));
        }
    }
    const std::uint8_t* d_in(int i) const { return in_[static_cast<std::size_t>(i)].data(); }
    std::uint8_t* d_out(int i) { return out_[static_cast<std::size_t>(i)].data(); }
    void download(std::uint8_t* samples) const {
        CUDA_CHECK(
            cudaMemcpy(samples, out_.front().data(), out_.front().bytes(), cudaMemcpyDeviceToHost));
    }

  private:
    std::vector<convolab::DeviceBuffer<std::uint8_t>> in_, out_;
};

}  // namespace peer
