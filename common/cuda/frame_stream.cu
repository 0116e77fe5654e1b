// SPDX-License-Identifier: MIT
// Frames in flight for kernels that know nothing of it: they run on the default stream, with the
// buffers of their CudaFramePair. Copies have a stream each, and pinned memory:
//
//     copy in      | frame 1 | frame 2 | frame 3 |
//     kernel                 | 0 and 1 | 1 and 2 |
//     copy out                         | 0 and 1 |
#include <algorithm>
#include <cstring>

#include "common/cuda/frame_pair.hpp"
#include "common/cuda/stream.hpp"

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

CudaFrameStream::CudaFrameStream(CudaFramePair& pair) : pair_(pair) {
    const std::size_t bytes = pair.d_current_.bytes();
    for (Slot& slot : slots_) {
        slot.h_in = PinnedBuffer<std::uint8_t>(bytes);
        slot.h_out = PinnedBuffer<std::uint8_t>(bytes);
        slot.d_frame = Bytes(bytes);
        if (pair.is_over_previous()) continue;
        slot.d_out = Bytes(bytes);
        slot.d_out.fill(0);  // as the pair's own: a kernel may write only the reds
    }
}

/// The slot's last frame is two frames back. Its output was given, so its copies have ended, and so
/// have the kernels that read the buffer which is now overwritten.
void CudaFrameStream::copy_in(Slot& now, const Image& frame) {
    std::memcpy(now.h_in.data(), frame.raw(), now.h_in.bytes());
    now.copy_in.start(in_.get());
    now.d_frame.upload_async(now.h_in.data(), in_.get());
    now.copy_in.stop(in_.get());
    pair_.d_previous_.swap(pair_.d_current_);
    pair_.d_current_.swap(now.d_frame);
}

void CudaFrameStream::compute(Slot& now) {
    pair_.d_out_.swap(now.d_out);
    now.copy_in.make_wait(nullptr);
    now.kernel.start();
    pair_.run();
    now.kernel.stop();
    now.kernel.make_wait(out_.get());
    now.copy_out.start(out_.get());
    (pair_.is_over_previous() ? pair_.d_previous_ : pair_.d_out_)
        .download_async(now.h_out.data(), out_.get());
    now.copy_out.stop(out_.get());
}

Image CudaFrameStream::output(Slot& of) {
    times_.copy_out += of.copy_out.milliseconds();  // waits for it
    times_.copy_in += of.copy_in.milliseconds();
    times_.kernel += of.kernel.milliseconds();
    Image image(pair_.width, pair_.height, 3);
    std::memcpy(image.raw(), of.h_out.data(), of.h_out.bytes());
    return image;
}

std::optional<Image> CudaFrameStream::next(const Image& frame) {
    Slot& now = slot(frames_);
    copy_in(now, frame);
    if (frames_++ == 0) {
        in_.wait();  // no output will wait for it
        return {};
    }
    compute(now);
    if (frames_ == 2) return {};
    return output(slot(frames_ - 2));
}

std::optional<Image> CudaFrameStream::finish() {
    if (frames_ < 2) return {};
    return output(slot(frames_ - 1));
}

std::unique_ptr<FrameStream> CudaFramePair::stream() {
    const bool gives_frames = !how_.download && output_.bytes() == d_current_.bytes();
    return gives_frames ? std::make_unique<CudaFrameStream>(*this) : nullptr;
}

}  // namespace convolab
