// SPDX-License-Identifier: MIT
// A picture at another size, so that a user's own photo can be used in place of the scene.
#pragma once

#include <cstdint>

#include "common/image/image.hpp"

namespace convolab {

/// The middle of `image` that has the aspect ratio of width x height, brought to that size. Each
/// axis is averaged over areas where it shrinks and interpolated linearly where it grows; both in
/// integers, exact before the one rounding (half up), so that every machine gives the same bytes.
/// uint8 of 1, 3 or 4 channels in either layout, which is kept; alpha is a channel like the
/// others. Sides up to 2^23 pixels. Throws Error.
Image centre_crop_and_resample(const Image& image, std::int64_t width, std::int64_t height);

}  // namespace convolab
