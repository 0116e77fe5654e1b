// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/verify_plan.hpp"

#include "common/driver/pictures.hpp"
#include "common/image/png.hpp"
#include "common/scene/scene.hpp"

namespace convolab {
namespace {

struct Side {
    std::int64_t width;
    std::int64_t height;
};
constexpr Side kAwkward[] = {{1, 1},   {1, 7},   {7, 1},   {2, 2},   {5, 4},   {15, 15},
                             {16, 16}, {17, 31}, {33, 17}, {64, 48}, {97, 23}, {4097, 3}};
constexpr Side kAwkwardQuick[] = {{1, 1}, {2, 3}, {17, 31}, {97, 5}};

void add_storages(std::vector<VerifyPicture>& all, const VerifyPicture& picture) {
    for (const auto type : {PixelType::uint8, PixelType::int32, PixelType::float32}) {
        all.push_back({picture.name, convert(picture.image, type, Layout::interleaved),
                       picture.every_filter});
        if (picture.image.channels() > 1)
            all.push_back(
                {picture.name, convert(picture.image, type, Layout::planar), picture.every_filter});
    }
}

void add_channels(std::vector<VerifyPicture>& all, const VerifyPicture& picture) {
    for (const int channels : {1, 3, 4})
        add_storages(all,
                     {picture.name, with_channels(picture.image, channels), picture.every_filter});
}

std::string size_text(const Image& image) {
    return std::to_string(image.width()) + 'x' + std::to_string(image.height());
}

}  // namespace

std::vector<VerifyPicture> verify_pictures(bool quick, const std::string& photo) {
    std::vector<VerifyPicture> all;
    const auto add_random = [&](const Side& side) {
        for (const int channels : {1, 3, 4}) {
            const Image image = random_image(side.width, side.height, channels, PixelType::uint8,
                                             static_cast<std::uint64_t>(side.width * channels));
            add_storages(all, {size_text(image), image, true});
        }
    };
    if (quick) {
        for (const auto& side : kAwkwardQuick) add_random(side);
        all.push_back({"scene 107x60", draw_scene(107, 60), true});
    } else {
        for (const auto& side : kAwkward) add_random(side);
        add_channels(all, {"scene 240x135", draw_scene(240, 135), true});
        all.push_back({"scene 853x480", draw_scene(853, 480), false});
    }
    if (!photo.empty()) {
        const Image image = read_png(photo).colour;
        const bool large = image.pixels() > 240 * 135;
        add_channels(all, {photo + ' ' + size_text(image), image, !large});
    }
    return all;
}

std::vector<Filter> verify_filters() {
    std::vector<Filter> all;
    for (const auto& name : filter_names()) {
        if (!filter_has_sizes(name)) {
            all.push_back(make_filter(name));
            continue;
        }
        for (const int k : {3, 5, 7, 9}) all.push_back(make_filter(name, k));
    }
    all.push_back(make_filter("gaussian", 7, 1.7));
    all.push_back(make_filter("3x3: 1 2 3 4 5 6 7 8 9 / 45"));
    all.push_back(
        make_filter("5x5: 1 -2 3 -4 5 6 7 -8 9 10 11 12 13 14 -15 16 17 18 19 20 21 -22 23 24 "
                    "25 / 250"));
    return all;
}

std::vector<Settings> verify_settings(const Variant& variant, const Backend& backend) {
    const bool threads = variant.uses & kUsesThreads;
    const bool block = variant.uses & kUsesBlock;
    const bool streams = variant.uses & kUsesStreams;
    if (backend.name() == "cpu") {
        if (threads && block) return {{1, 16}, {3, 5}, {2, 64}};
        if (threads) return {{1}, {3}, {4}};
    }
    if (block) return {{1, 16}, {1, 8}, {1, 32}};
    if (streams) return {{1, 16, 3}, {1, 16, 1}, {1, 16, 8}, {1, 16, 2, 5}};
    if (variant.uses & kUsesFrames) return {{1, 16, 3, 0, 3, 7}, {1, 16, 3, 0, 2, 1}};
    return {{}};
}

}  // namespace convolab
