// SPDX-License-Identifier: MIT
// An image in memory: width x height pixels of 1, 3 or 4 channels. Indices are 64 bits wide
// everywhere: an 8K image of nested floats and a matrix of 2^28 elements both exceed 2^31 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace convolab {

/// uint8 and int32 images contain 8-bit samples, 0..255 (int32 is chisci2024's storage); float32
/// images contain any finite value and are neither rounded nor clamped.
enum class PixelType { uint8, int32, float32 };

/// interleaved: RGBRGB... (array of structures); planar: RR..GG..BB.. (structure of arrays).
enum class Layout { interleaved, planar };

std::size_t bytes_per_sample(PixelType type);
std::string to_string(PixelType type);
std::string to_string(Layout layout);

template <class T>
constexpr PixelType pixel_type_of();
template <>
constexpr PixelType pixel_type_of<std::uint8_t>() {
    return PixelType::uint8;
}
template <>
constexpr PixelType pixel_type_of<std::int32_t>() {
    return PixelType::int32;
}
template <>
constexpr PixelType pixel_type_of<float>() {
    return PixelType::float32;
}

class Image {
  public:
    Image() = default;  ///< no pixels: 0 x 0

    /// All samples are zero. Throws Error for a side < 1, channels other than 1, 3, 4, or a size
    /// whose bytes do not fit in 63 bits; std::bad_alloc if memory is short.
    Image(std::int64_t width, std::int64_t height, int channels, PixelType type = PixelType::uint8,
          Layout layout = Layout::interleaved);

    /// The shape of uint8 pixels, interleaved, that are elsewhere: no memory.
    static Image shape(std::int64_t width, std::int64_t height, int channels);

    /// A picture is moved, which leaves an empty one, or copied by this name.
    Image(Image&& from) noexcept { swap(from); }
    Image& operator=(Image&& from) noexcept {
        Image taken(std::move(from));
        swap(taken);
        return *this;
    }
    Image copy() const;

    std::int64_t width() const { return width_; }    ///< pixels
    std::int64_t height() const { return height_; }  ///< pixels
    int channels() const { return channels_; }
    PixelType type() const { return type_; }
    Layout layout() const { return layout_; }
    std::int64_t pixels() const { return width_ * height_; }
    std::int64_t samples() const { return pixels() * channels_; }
    std::size_t bytes() const {
        return static_cast<std::size_t>(samples()) * bytes_per_sample(type_);
    }
    bool empty() const { return samples() == 0; }

    /// Index of sample (x, y, c), in samples; not checked.
    std::size_t index(std::int64_t x, std::int64_t y, int c) const {
        return static_cast<std::size_t>(layout_ == Layout::interleaved
                                            ? (y * width_ + x) * channels_ + c
                                            : (c * height_ + y) * width_ + x);
    }

    /// The samples as their type, 64-byte aligned. Throws Error if T is not type().
    template <class T>
    T* data() {
        require(pixel_type_of<T>());
        return reinterpret_cast<T*>(memory_.get());
    }
    template <class T>
    const T* data() const {
        require(pixel_type_of<T>());
        return reinterpret_cast<const T*>(memory_.get());
    }
    std::byte* raw() { return memory_.get(); }
    const std::byte* raw() const { return memory_.get(); }

    /// Sample (x, y, c), whatever its type. For checks and small images; not checked.
    double value(std::int64_t x, std::int64_t y, int c) const;
    void set_value(std::int64_t x, std::int64_t y, int c, double value);

    /// The same picture in this memory of bytes() bytes, which `free` gives back in the end.
    Image in_memory(std::byte* memory, void (*free)(std::byte*)) const;

    /// Overwrites every byte, so that samples that are not written later show.
    void poison(std::uint8_t byte = 0xA5);

  private:
    static void free_aligned(std::byte* memory);
    struct Free {
        Free() : free(free_aligned) {}
        explicit Free(void (*free)(std::byte*)) : free(free) {}
        void (*free)(std::byte*);
        void operator()(std::byte* memory) const { free(memory); }
    };
    void swap(Image& other) noexcept;
    void require(PixelType type) const;
    Image without_memory() const;

    std::int64_t width_ = 0;
    std::int64_t height_ = 0;
    int channels_ = 0;
    PixelType type_ = PixelType::uint8;
    Layout layout_ = Layout::interleaved;
    std::unique_ptr<std::byte[], Free> memory_;
};

/// The same picture in another storage. float32 to an integer type rounds half up and clamps to
/// 0..255. A picture that is given away and stored so already comes back without a copy.
Image convert(const Image& image, PixelType type, Layout layout);
Image convert(Image&& image, PixelType type, Layout layout);

/// Rectangle (x, y, width, height) of the image. Throws Error if it is not inside.
Image crop(const Image& image, std::int64_t x, std::int64_t y, std::int64_t width,
           std::int64_t height);

/// "1920x1080, 3 channels, uint8, interleaved"
std::string describe(const Image& image);

}  // namespace convolab
