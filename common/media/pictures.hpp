// SPDX-License-Identifier: MIT
// The images that run, bench and verify give to the variants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/image/image.hpp"
#include "common/image/sizes.hpp"
#include "common/media/png.hpp"

namespace convolab {

/// 1 channel: (77 R + 150 G + 29 B + 128) / 256; 4 channels: the three and that gray. uint8.
Image with_channels(Image image, int channels);

/// Every sample drawn evenly: 0..255, or [0, 1) for float32. The same for the same seed everywhere.
Image random_image(std::int64_t width, std::int64_t height, int channels, PixelType type,
                   std::uint64_t seed);

/// The image with a little noise in every sample and much in a few; uint8, other types as they are.
Image with_noise(Image image, std::uint64_t seed);

/// What --image of run names: "scene:SIZE" and other drawn pictures, or a PNG or JPEG. Without
/// `channels`: those of the file, 3 of a drawn picture. Throws Error or UsageError.
Picture read_picture(const std::string& image, std::optional<int> channels, PixelType type,
                     Layout layout);

/// A picture of any type as a PNG; alpha, unless it is empty, is cut to its size on all sides, as
/// border `valid` cuts the colours. Throws Error.
void write_picture(const std::string& path, const Image& colour, const Image& alpha);

/// What --image names.
class PictureSource {
  public:
    /// "" or "scene", "white", "random", "scene:SIZE", "random:SIZE:SEED", a synthetic clip
    /// (moving, panning, static, black; with :SIZE too), or a PNG or JPEG, which is read now. data: the
    /// folder with scene_<size>.png; "": the scene is drawn. Throws Error or UsageError.
    explicit PictureSource(const std::string& image, std::string data = "");

    /// As it was given.
    const std::string& text() const { return text_; }
    /// What the column `image` says: scene, random, or the file's name.
    const std::string& name() const { return name_; }
    /// The size that the text names.
    const std::optional<Size>& size() const { return size_; }
    /// The PNG or JPEG.
    const std::optional<Picture>& photo() const { return photo_; }
    std::optional<Picture>& photo() { return photo_; }

    /// Interleaved, of this size. Throws Error if a file cannot be read.
    Image picture(const Size& size, int channels, PixelType type) const;
    /// `count` frames that follow each other: the first ones of a synthetic clip, a picture with a
    /// little noise in each frame, or random frames with different seeds.
    std::vector<Image> frames(const Size& size, int channels, PixelType type, int count) const;

  private:
    std::string text_;
    std::string name_;
    std::string data_;
    std::optional<Size> size_;
    std::optional<Picture> photo_;
    std::uint64_t seed_ = 0;
};

}  // namespace convolab
