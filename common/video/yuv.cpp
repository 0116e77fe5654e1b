// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/video/yuv.hpp"

#include <algorithm>

namespace convolab {
namespace {

constexpr int kFraction = 16;
constexpr std::int32_t kHalf = 1 << (kFraction - 1);

/// 65536 times the coefficients of yuv.hpp.
struct ToRgb {
    std::int32_t luma, black, red_v, green_u, green_v, blue_u;
};
constexpr ToRgb kLimited{76309, 16, 104597, 25675, 53279, 132201};
constexpr ToRgb kFull{65536, 0, 91881, 22554, 46802, 116130};

std::uint8_t to_byte(std::int32_t fixed) {
    return static_cast<std::uint8_t>(std::clamp((fixed + kHalf) >> kFraction, 0, 255));
}

}  // namespace

void yuv_to_rgb(const std::uint8_t* yuv, const YuvLayout& layout, Image& rgb) {
    const ToRgb k = layout.is_full_range ? kFull : kLimited;
    const std::uint8_t* u_plane = yuv + layout.width * layout.height;
    const std::uint8_t* v_plane = u_plane + layout.chroma_width() * layout.chroma_height();
    std::uint8_t* out = rgb.data<std::uint8_t>();
    for (std::int64_t y = 0; y < layout.height; ++y) {
        const std::uint8_t* luma = yuv + y * layout.width;
        const std::int64_t chroma_row = y / layout.chroma_y * layout.chroma_width();
        for (std::int64_t x = 0; x < layout.width; ++x, out += 3) {
            const std::int64_t at = chroma_row + x / layout.chroma_x;
            const std::int32_t light = k.luma * (luma[x] - k.black);
            const std::int32_t u = layout.is_gray ? 0 : u_plane[at] - 128;
            const std::int32_t v = layout.is_gray ? 0 : v_plane[at] - 128;
            out[0] = to_byte(light + k.red_v * v);
            out[1] = to_byte(light - k.green_u * u - k.green_v * v);
            out[2] = to_byte(light + k.blue_u * u);
        }
    }
}

void rgb_to_yuv444(const Image& rgb, std::uint8_t* yuv) {
    const std::uint8_t* in = rgb.data<std::uint8_t>();
    std::uint8_t* u = yuv + rgb.pixels();
    std::uint8_t* v = u + rgb.pixels();
    for (std::int64_t i = 0; i < rgb.pixels(); ++i, in += 3) {
        const std::int32_t r = in[0], g = in[1], b = in[2];
        yuv[i] = to_byte(16829 * r + 33039 * g + 6416 * b + (16 << kFraction));
        u[i] = to_byte(-9714 * r - 19070 * g + 28784 * b + (128 << kFraction));
        v[i] = to_byte(28784 * r - 24103 * g - 4681 * b + (128 << kFraction));
    }
}

}  // namespace convolab
