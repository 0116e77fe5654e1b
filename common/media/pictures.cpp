// SPDX-License-Identifier: MIT
#include "common/media/pictures.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "common/base/error.hpp"
#include "common/base/random_bits.hpp"
#include "common/base/text.hpp"
#include "common/image/resample.hpp"
#include "common/image/sizes.hpp"
#include "common/media/ffmpeg.hpp"
#include "common/media/scene.hpp"
#include "common/media/synthetic.hpp"
#include "common/media/video.hpp"

namespace convolab {
namespace {

Image scene_picture(const Size& size, const std::string& data) {
    if (data.empty()) return draw_scene(size.width, size.height);
    const std::string path = data + "/scene_" + size.name + ".png";
    if (!std::filesystem::exists(path)) return draw_scene(size.width, size.height);
    Image image = read_png(path).colour;
    if (image.width() != size.width || image.height() != size.height || image.channels() != 3)
        throw Error("File '" + path + "' is not the scene at " + size.name +
                    "; delete it and run `make data`.");
    return image;
}

/// A PNG, or a JPEG through ffmpeg.
Picture read_photo(const std::string& path) {
    std::error_code none_there;  // which the readers say
    if (std::filesystem::is_fifo(path, none_there))
        throw Error("File '" + path + "' is a pipe: save the picture as a file first.");
    if (!is_jpeg(path)) return read_png(path);
    const auto source = open_ffmpeg_source(std::filesystem::absolute(path).string());
    Picture picture;
    source->next(picture.colour);
    Image none;
    source->next(none);  // throws if the file is cut off
    return picture;
}

Image white(const Size& size) {
    Image image(size.width, size.height, 3);
    image.poison(255);
    return image;
}

}  // namespace

Image with_noise(Image image, std::uint64_t seed) {
    if (image.type() != PixelType::uint8) return image;
    auto* samples = image.data<std::uint8_t>();
    for (std::int64_t i = 0; i < image.samples(); ++i) {
        const std::uint64_t r = random_bits(seed * kRandomStep + static_cast<std::uint64_t>(i));
        const int noise = static_cast<int>(r % 9) - 4 + (r >> 32) % 64 / 63 * 60;
        samples[i] = static_cast<std::uint8_t>(std::clamp(samples[i] + noise, 0, 255));
    }
    return image;
}

Image with_channels(Image image, int channels) {
    if (image.channels() == channels) return image;
    Image out(image.width(), image.height(), channels);
    for (std::int64_t y = 0; y < image.height(); ++y)
        for (std::int64_t x = 0; x < image.width(); ++x) {
            const auto sample = [&](int c) {
                return static_cast<int>(image.value(x, y, std::min(c, image.channels() - 1)));
            };
            const int gray = (77 * sample(0) + 150 * sample(1) + 29 * sample(2) + 128) / 256;
            for (int c = 0; c < channels; ++c)
                out.set_value(x, y, c, channels == 1 || c == 3 ? gray : sample(c));
        }
    return out;
}

Image random_image(std::int64_t width, std::int64_t height, int channels, PixelType type,
                   std::uint64_t seed) {
    Image image(width, height, channels, type);
    const std::uint64_t start = (seed + 1) * kRandomStep;
    const auto draw = [start](std::int64_t i) {
        return random_bits(start + static_cast<std::uint64_t>(i));
    };
    switch (type) {
        case PixelType::uint8:
            for (std::int64_t i = 0; i < image.samples(); ++i)
                image.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(draw(i) >> 56);
            break;
        case PixelType::int32:
            for (std::int64_t i = 0; i < image.samples(); ++i)
                image.data<std::int32_t>()[i] = static_cast<std::int32_t>(draw(i) >> 56);
            break;
        case PixelType::float32:
            for (std::int64_t i = 0; i < image.samples(); ++i)
                image.data<float>()[i] = static_cast<float>(draw(i) >> 40) * 0x1p-24F;
            break;
    }
    return image;
}

Picture read_picture(const std::string& image, std::optional<int> channels, PixelType type,
                     Layout layout) {
    PictureSource source(image);
    Picture picture;
    if (source.photo()) {
        picture = std::move(*source.photo());
        const int own = picture.colour.channels();
        picture.colour = with_channels(std::move(picture.colour), channels.value_or(own));
    } else if (source.size()) {
        picture.colour = source.picture(*source.size(), channels.value_or(3), type);
    } else {
        throw UsageError("Option --image: say the size, such as " + source.name() + ":480p.");
    }
    picture.colour = convert(std::move(picture.colour), type, layout);
    return picture;
}

void write_picture(const std::string& path, const Image& colour, const Image& alpha) {
    Image bytes, cut;
    if (colour.type() != PixelType::uint8)
        bytes = convert(colour, PixelType::uint8, Layout::interleaved);
    if (!alpha.empty())
        cut = crop(alpha, (alpha.width() - colour.width()) / 2,
                   (alpha.height() - colour.height()) / 2, colour.width(), colour.height());
    write_png(path, bytes.empty() ? colour : bytes, cut);
}

PictureSource::PictureSource(const std::string& image, std::string data)
    : text_(image),
      name_(image.empty() ? "scene" : image.substr(0, image.find(':'))),
      data_(std::move(data)) {
    const bool drawn =
        name_ == "scene" || name_ == "random" || name_ == "white" || synthetic_kind(name_);
    if (!drawn) {
        name_ = std::filesystem::path(image).filename().string();
        photo_ = read_photo(image);
        return;
    }
    if (image.size() <= name_.size()) return;
    std::string rest = image.substr(name_.size() + 1);
    const auto colon = rest.find(':');
    if (colon != std::string::npos && name_ == "random") {
        seed_ = static_cast<std::uint64_t>(
            whole_number(rest.substr(colon + 1), "--image", 0, std::numeric_limits<int>::max()));
        rest.resize(colon);
    }
    size_ = parse_size(rest);
}

Image PictureSource::picture(const Size& size, int channels, PixelType type) const {
    return std::move(frames(size, channels, type, 1).front());
}

std::vector<Image> PictureSource::frames(const Size& size, int channels, PixelType type,
                                         int count) const {
    std::vector<Image> all;
    if (name_ == "random" && !photo_) {
        for (int i = 0; i < count; ++i)
            all.push_back(random_image(size.width, size.height, channels, type,
                                       seed_ + static_cast<std::uint64_t>(i)));
        return all;
    }
    if (!photo_ && synthetic_kind(name_)) {
        const auto clip =
            open_source(name_, {.width = size.width, .height = size.height, .frames = count});
        for (Image frame; clip->next(frame);)
            all.push_back(
                convert(with_channels(std::move(frame), channels), type, Layout::interleaved));
        return all;
    }
    Image picture = photo_ ? centre_crop_and_resample(photo_->colour, size.width, size.height)
                    : name_ == "white" ? white(size)
                                       : scene_picture(size, data_);
    picture = with_channels(std::move(picture), channels);
    for (int i = 1; i < count; ++i)
        all.push_back(convert(with_noise(picture.copy(), static_cast<std::uint64_t>(i)), type,
                              Layout::interleaved));
    all.insert(all.begin(), convert(std::move(picture), type, Layout::interleaved));
    return all;
}

}  // namespace convolab
