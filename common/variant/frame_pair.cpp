// SPDX-License-Identifier: MIT
#include "common/variant/frame_pair.hpp"

#include "common/base/error.hpp"

namespace convolab {

FramePair::FramePair(const Job& job) {
    for (int i = 0; i < 2; ++i) {
        const Image& frame = *job.frames.at(static_cast<std::size_t>(i));
        if (frame.type() != PixelType::uint8 || frame.width() != job.image().width() ||
            frame.height() != job.image().height() || frame.channels() != job.image().channels())
            throw Unsupported("Two frames of uint8 and one size are compared, not " +
                              describe(job.image()) + " with " + describe(frame) + ".");
        if (frame.layout() == Layout::interleaved) {
            frames_[i] = &frame;
            continue;
        }
        converted_[i] = convert(frame, PixelType::uint8, Layout::interleaved);
        frames_[i] = &converted_[i];
    }
}

}  // namespace convolab
