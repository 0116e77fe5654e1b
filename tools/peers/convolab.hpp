// SPDX-License-Identifier: MIT
// A variant of a lab as a contender.
#pragma once

#include <stdexcept>

#include "common/variant/convolver.hpp"
#include "tools/peers/peer.hpp"

namespace peer {

inline convolab::Filter filter_of(const PeerJob& job) {
    return {"peers", job.ksize, taps(job), job.divisor};
}

inline convolab::Image image_of(const PeerJob& job) {
    convolab::Image image(job.width, job.height, job.channels);
    std::memcpy(image.raw(), job.pixels, bytes(job));
    return image;
}

inline void copy_out(const convolab::Image& image, std::uint8_t* samples) {
    std::memcpy(samples, image.raw(), image.bytes());
}

}  // namespace peer
