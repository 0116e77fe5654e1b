// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/verify_plan.hpp"

#include <algorithm>

#include "common/threads/topology.hpp"

namespace convolab {
namespace {

// The packed kernels have other code for a strip, 480 bytes and 16 to each side of it, that is
// inside the picture: one is in 1001x13 with any number of channels, and in 421x13 with three or
// four.
constexpr const char* kPictures[] = {
    "random:1x1:1",      "random:1x7:2",   "random:7x1:3",    "random:2x2:4",   "random:5x4:5",
    "random:15x15:6",    "random:16x16:7", "random:17x31:8",  "random:33x17:9", "random:64x48:10",
    "random:1001x13:11", "scene:240x135",  "random:4097x3:12"};
constexpr const char* kQuickPictures[] = {"random:1x1:1", "random:2x3:2", "random:17x31:8",
                                          "random:421x13:3", "scene:37x60"};

// Over 2^16 pixels, and in blocks of 5 x 5 over 1024 blocks: an index in 16 bits, a grid exchanged
// with its block. Where there is no filter, over 1024 groups of 512 pixels: the scan of lab 09
// takes two rounds.
constexpr const char* kLarge = "random:257x257:13";
constexpr const char* kLargeWithoutFilter = "random:1025x513:13";
constexpr std::size_t kLargeTurn = 3;  // of the settings: block 5, and the own kernel of lab 06

struct Storage {
    PixelType type;
    int channels;
    Layout layout;
};
constexpr PixelType kTypes[] = {PixelType::uint8, PixelType::int32, PixelType::float32};
constexpr Storage kStoragesPerType[] = {{PixelType::uint8, 3, Layout::interleaved},
                                        {PixelType::uint8, 3, Layout::planar},
                                        {PixelType::uint8, 1, Layout::interleaved},
                                        {PixelType::uint8, 4, Layout::interleaved},
                                        {PixelType::uint8, 4, Layout::planar}};

std::vector<Storage> all_storages() {
    std::vector<Storage> all;
    for (const auto type : kTypes)
        for (Storage storage : kStoragesPerType) {
            storage.type = type;
            all.push_back(storage);
        }
    return all;
}

VerifyPicture picture(const char* name, const Storage& storage) {
    const PictureSource source(name);
    return {name, convert(source.picture(*source.size(), storage.channels, storage.type),
                          storage.type, storage.layout)};
}

}  // namespace

VerifyPlan::VerifyPlan(bool quick, const PictureSource* photo, const Operation& operation)
    : filters(verify_filters(operation)) {
    const bool has_border = operation.has_filter && operation.has_border;
    std::vector<const char*> names(std::begin(kPictures), std::end(kPictures));
    if (quick) names.assign(std::begin(kQuickPictures), std::end(kQuickPictures));
    const auto standard = static_cast<std::size_t>(
        std::find(all_borders().begin(), all_borders().end(), Border{}) - all_borders().begin());
    const std::size_t first_border = has_border ? 0 : standard;
    const std::size_t end_border = has_border ? all_borders().size() : standard + 1;
    const std::size_t repeats = !operation.has_filter ? 4 * names.size()
                                : !has_border         ? names.size()
                                : quick               ? 1
                                                      : 2;
    std::size_t n = 0;
    for (const Storage& storage : all_storages()) {
        const std::size_t first = pictures.size();
        for (const char* name : names) pictures.push_back(picture(name, storage));
        // The numbers of sizes, 13 and 5, have no factor in common with those of borders and
        // repeats: each size comes to each filter and to each border.
        for (std::size_t f = 0; f < filters.size(); ++f)
            for (std::size_t b = first_border; b < end_border; ++b)
                for (std::size_t r = 0; r < repeats; ++r, ++n)
                    cases.push_back({first + n % names.size(), f, b,
                                     n / names.size() + (operation.has_border ? b : n)});
        n += 2;  // the next storage has other sizes for the same filter and border
    }
    const auto gaussian = std::find_if(filters.begin(), filters.end(), [](const Filter& filter) {
        return filter.name() == "gaussian" && filter.ksize() == 3;
    });
    const auto f = static_cast<std::size_t>(
        gaussian == filters.end() ? 0 : std::distance(filters.begin(), gaussian));
    for (const PixelType type : kTypes)
        for (const int channels : {3, 1}) {
            cases.push_back({pictures.size(), f, standard, kLargeTurn});
            pictures.push_back(picture(operation.has_filter ? kLarge : kLargeWithoutFilter,
                                       {type, channels, Layout::interleaved}));
        }
    if (photo != nullptr)  // may be large: each filter once per type
        for (const PixelType type : kTypes) {
            const std::size_t first = pictures.size();
            for (const int channels : {3, 1, 4})
                pictures.push_back(
                    {photo->text(), convert(with_channels(photo->photo()->colour, channels), type,
                                            Layout::interleaved)});
            for (std::size_t f = 0; f < filters.size(); ++f)
                cases.push_back({first + f % 3, f, has_border ? f % end_border : standard, f});
        }
    std::stable_sort(cases.begin(), cases.end(), [this](const auto& a, const auto& b) {
        return pictures[a.picture].image.pixels() < pictures[b.picture].image.pixels();
    });
}

Settings VerifyPlan::settings(const VerifyCase& one, const Variant& variant) {
    const auto all = verify_settings(variant.uses);
    return all[one.launch % all.size()];
}

Launches VerifyPlan::launches(const VerifyCase& one,
                              const std::vector<const Variant*>& variants) const {
    Launches all;
    for (std::size_t v = 0; v < variants.size(); ++v)
        if (takes(*variants[v], pictures[one.picture].image))
            all.emplace_back(v, settings(one, *variants[v]));
    return all;
}

double VerifyPlan::cost(const VerifyCase& one, const std::vector<const Variant*>& variants) const {
    const double ksize = filters[one.filter].ksize();
    return static_cast<double>(pictures[one.picture].image.samples()) * ksize * ksize *
           static_cast<double>(launches(one, variants).size());
}

std::map<std::pair<PixelType, int>, Launches> scene_launches(const Lab& lab, const Options& options,
                                                             const Size& size) {
    const auto& sizes = options.sizes;
    const bool smallest = size.name == sizes.front().name;
    Settings settings;
    settings.threads = cpu_count();
    settings.frames = 2;
    settings.filters = 2;
    settings.ranks = default_ranks();
    std::map<std::pair<PixelType, int>, Launches> all;
    for (std::size_t v = 0; v < options.variants.size(); ++v) {
        const Variant& variant = *options.variants[v];
        const bool every_size = options.only_sizes || lab.backend_of(variant).is_timed();
        const auto large = std::find_if(sizes.begin(), sizes.end(), [&](const Size& of) {
            return of.width * of.height * variant.channels.front() > 1 << 24;
        });
        if (every_size || smallest || (large != sizes.end() && large->name == size.name))
            all[{variant.types.front(), variant.channels.front()}].emplace_back(v, settings);
    }
    return all;
}

double scene_cost(const Lab& lab, const Options& options, const Size& size) {
    const double pixels = static_cast<double>(size.width) * static_cast<double>(size.height);
    double samples = 0;
    for (const auto& [storage, launches] : scene_launches(lab, options, size))
        samples += pixels * storage.second * static_cast<double>(launches.size());
    return samples * 5 * 5;
}

std::vector<Filter> verify_filters(const Operation& operation) {
    if (!operation.has_filter) return {make_filter("identity", 1)};
    if (operation.filters.empty()) return verify_filters();
    std::vector<Filter> all;
    for (const auto& name : operation.filters)
        for (const int k : {3, 5, 7, 9}) all.push_back(make_filter(name, k));
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

}  // namespace convolab
