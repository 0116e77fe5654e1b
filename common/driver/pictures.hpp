// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The images that bench and verify give to the variants.
#pragma once

#include <cstdint>
#include <string>

#include "common/image/image.hpp"
#include "common/image/sizes.hpp"

namespace convolab {

/// 1 channel: (77 R + 150 G + 29 B + 128) / 256; 4 channels: the three and that gray. uint8.
Image with_channels(const Image& image, int channels);

/// Every sample drawn evenly: 0..255, or [0, 1) for float32. The same for the same seed everywhere.
Image random_image(std::int64_t width, std::int64_t height, int channels, PixelType type,
                   std::uint64_t seed);

/// Where bench takes its pictures from.
struct PictureSource {
    std::string image;  ///< "" or "scene", "random", or the path of a PNG
    std::string data;   ///< folder with scene_<size>.png; "": the scene is drawn

    /// What the column `image` says: scene, random, or the PNG's file name.
    std::string name() const;
    /// Interleaved, of this size. frame: 0, or the number of a later frame of a video (the picture
    /// with a little noise of its own). Throws Error where a file cannot be read.
    Image picture(const Size& size, int channels, PixelType type, int frame = 0) const;
};

}  // namespace convolab
