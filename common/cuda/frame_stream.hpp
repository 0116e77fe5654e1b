// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Frames in flight for kernels that know nothing of it: they run on the default stream, with the
// buffers of their CudaFramePair. Copies have a stream each, and pinned memory:
//
//     copy in      | frame 1 | frame 2 | frame 3 |
//     kernel                 | 0 and 1 | 1 and 2 |
//     copy out                         | 0 and 1 |
#pragma once

#include "common/cuda/event_timer.hpp"
#include "common/cuda/frame_pair.hpp"
#include "common/cuda/stream.hpp"
#include "common/variant/frame_stream.hpp"

namespace convolab {

class CudaFrameStream final : public FrameStream {
  public:
    /// pair: of two uint8 RGB frames, with an output of the same kind; outlives this object.
    explicit CudaFrameStream(CudaFramePair& pair);
    std::optional<Image> next(const Image& frame) override;
    std::optional<Image> finish() override;
    Times times() const override { return times_; }

  private:
    using Bytes = DeviceBuffer<std::uint8_t>;

    /// What every second frame uses again.
    struct Slot {
        PinnedBuffer<std::uint8_t> h_in, h_out;
        Bytes
            d_frame;  ///< where the frame is copied to; then the pair's, in exchange for its oldest
        Bytes d_out;
        EventTimer copy_in, kernel, copy_out;
    };

    Slot& slot(std::int64_t frame) { return slots_[frame % 2]; }
    void copy_in(Slot& now, const Image& frame);
    void compute(Slot& now);
    Image output(Slot& of);

    CudaFramePair& pair_;
    Slot slots_[2];
    Stream in_, out_;
    std::int64_t frames_ = 0;  ///< taken
    Times times_;
};

}  // namespace convolab
