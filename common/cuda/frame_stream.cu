// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "common/cuda/frame_stream.hpp"

namespace convolab {

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

}  // namespace convolab
