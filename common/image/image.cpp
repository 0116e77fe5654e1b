// SPDX-License-Identifier: MIT
#include "common/image/image.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {
namespace {

constexpr std::align_val_t kAlignment{64};

template <class From, class To>
void convert_samples(const Image& from, Image& to) {
    const From* in = from.data<From>();
    To* out = to.data<To>();
    for (std::int64_t y = 0; y < from.height(); ++y)
        for (std::int64_t x = 0; x < from.width(); ++x)
            for (int c = 0; c < from.channels(); ++c) {
                double v = in[from.index(x, y, c)];
                if constexpr (!std::is_same_v<To, float>)
                    v = std::clamp(std::floor(v + 0.5), 0.0, 255.0);
                out[to.index(x, y, c)] = static_cast<To>(v);
            }
}

/// Calls use(T{}) with the type of a sample.
template <class Use>
void with_sample(PixelType type, const Use& use) {
    switch (type) {
        case PixelType::uint8:
            return use(std::uint8_t{});
        case PixelType::int32:
            return use(std::int32_t{});
        case PixelType::float32:
            return use(float{});
    }
}

}  // namespace

std::size_t bytes_per_sample(PixelType type) { return type == PixelType::uint8 ? 1 : 4; }

std::string to_string(PixelType type) {
    switch (type) {
        case PixelType::uint8:
            return "uint8";
        case PixelType::int32:
            return "int32";
        case PixelType::float32:
            return "float32";
    }
    return "?";
}

std::string to_string(Layout layout) {
    return layout == Layout::interleaved ? "interleaved" : "planar";
}

void Image::free_aligned(std::byte* memory) { ::operator delete[](memory, kAlignment); }

Image::Image(std::int64_t width, std::int64_t height, int channels, PixelType type, Layout layout)
    : Image(shape(width, height, channels)) {
    type_ = type;
    layout_ = layout;
    memory_.reset(static_cast<std::byte*>(::operator new[](bytes(), kAlignment)));
    std::memset(memory_.get(), 0, bytes());
}

Image Image::shape(std::int64_t width, std::int64_t height, int channels) {
    if (channels != 1 && channels != 3 && channels != 4)
        throw Error("An image has 1, 3 or 4 channels, not " + std::to_string(channels) + ".");
    constexpr std::int64_t kMaxSamples = std::numeric_limits<std::int64_t>::max() / 16;
    if (width < 1 || height < 1 || height > kMaxSamples / width)
        throw Error("An image of " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels cannot be made: both sides must be at least 1 and the whole must fit "
                    "in memory.");
    Image image;
    image.width_ = width;
    image.height_ = height;
    image.channels_ = channels;
    return image;
}

void Image::swap(Image& other) noexcept {
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    std::swap(channels_, other.channels_);
    std::swap(type_, other.type_);
    std::swap(layout_, other.layout_);
    std::swap(memory_, other.memory_);
}

Image Image::copy() const {
    if (memory_ == nullptr) return without_memory();
    return in_memory(static_cast<std::byte*>(::operator new[](bytes(), kAlignment)), free_aligned);
}

Image Image::without_memory() const {
    Image image;
    image.width_ = width_;
    image.height_ = height_;
    image.channels_ = channels_;
    image.type_ = type_;
    image.layout_ = layout_;
    return image;
}

Image Image::in_memory(std::byte* memory, void (*free)(std::byte*)) const {
    Image image = without_memory();
    image.memory_ = {memory, Free{free}};
    std::memcpy(memory, raw(), bytes());
    return image;
}

void Image::require(PixelType type) const {
    if (type != type_)
        throw Error("The image contains " + to_string(type_) + " samples and was read as " +
                    to_string(type) + "; convert() it first.");
}

double Image::value(std::int64_t x, std::int64_t y, int c) const {
    const std::size_t i = index(x, y, c);
    switch (type_) {
        case PixelType::uint8:
            return reinterpret_cast<const std::uint8_t*>(raw())[i];
        case PixelType::int32:
            return reinterpret_cast<const std::int32_t*>(raw())[i];
        case PixelType::float32:
            return reinterpret_cast<const float*>(raw())[i];
    }
    return 0;
}

void Image::set_value(std::int64_t x, std::int64_t y, int c, double value) {
    const std::size_t i = index(x, y, c);
    switch (type_) {
        case PixelType::uint8:
            reinterpret_cast<std::uint8_t*>(raw())[i] = static_cast<std::uint8_t>(value);
            break;
        case PixelType::int32:
            reinterpret_cast<std::int32_t*>(raw())[i] = static_cast<std::int32_t>(value);
            break;
        case PixelType::float32:
            reinterpret_cast<float*>(raw())[i] = static_cast<float>(value);
            break;
    }
}

void Image::poison(std::uint8_t byte) { std::memset(raw(), byte, bytes()); }

Image convert(const Image& image, PixelType type, Layout layout) {
    if (image.type() == type && image.layout() == layout) return image.copy();
    Image out(image.width(), image.height(), image.channels(), type, layout);
    with_sample(image.type(), [&](auto from) {
        with_sample(type,
                    [&](auto to) { convert_samples<decltype(from), decltype(to)>(image, out); });
    });
    return out;
}

Image convert(Image&& image, PixelType type, Layout layout) {
    if (image.type() == type && image.layout() == layout) return std::move(image);
    return convert(std::as_const(image), type, layout);
}

Image crop(const Image& image, std::int64_t x, std::int64_t y, std::int64_t width,
           std::int64_t height) {
    if (x < 0 || y < 0 || width < 1 || height < 1 || x + width > image.width() ||
        y + height > image.height())
        throw Error("The rectangle " + std::to_string(width) + "x" + std::to_string(height) +
                    " at (" + std::to_string(x) + ", " + std::to_string(y) +
                    ") is not inside the image of " + std::to_string(image.width()) + "x" +
                    std::to_string(image.height()) + ".");
    Image out(width, height, image.channels(), image.type(), image.layout());
    const std::size_t size = bytes_per_sample(image.type());
    const int planes = image.layout() == Layout::planar ? image.channels() : 1;
    const std::size_t row = static_cast<std::size_t>(width) * (image.channels() / planes) * size;
    for (int plane = 0; plane < planes; ++plane)
        for (std::int64_t r = 0; r < height; ++r)
            std::memcpy(out.raw() + out.index(0, r, plane) * size,
                        image.raw() + image.index(x, y + r, plane) * size, row);
    return out;
}

std::string describe(const Image& image) {
    return std::to_string(image.width()) + "x" + std::to_string(image.height()) + ", " +
           std::to_string(image.channels()) +
           (image.channels() == 1 ? " channel, " : " channels, ") + to_string(image.type()) + ", " +
           to_string(image.layout());
}

}  // namespace convolab
