// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/driver/pairwise_table.hpp"
#include "common/driver/verify.hpp"
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

/// Whether the variant takes no image with fewer samples in as many pixels, of its first type.
bool is_smallest(const Image& image, const Variant& variant) {
    return image.type() == variant.types.front() &&
           image.channels() == *std::min_element(variant.channels.begin(), variant.channels.end());
}

VerifyPicture picture(const std::string& name, const Storage& storage) {
    const PictureSource source(name);
    return {name, convert(source.picture(*source.size(), storage.channels, storage.type),
                          storage.type, storage.layout)};
}

}  // namespace

VerifyPlan::VerifyPlan(bool quick, const PictureSource* photo, const Operation& operation,
                       bool is_fast)
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
    PairwiseTable table(names.size());
    for (const Storage& storage : all_storages()) {
        const std::size_t first = pictures.size();
        for (const char* name : names) pictures.push_back(picture(name, storage));
        table.begin_storage();
        for (std::size_t f = 0; f < filters.size(); ++f)
            for (std::size_t b = first_border; b < end_border; ++b)
                for (std::size_t r = 0; r < repeats; ++r) {
                    const auto [size, launch] = table.next(f, filters[f].ksize(), b);
                    cases.push_back({first + size, f, b, launch});
                }
    }
    const std::size_t product = filters.size();
    std::size_t n = 0;
    for (const Single& single : verify_singles(quick, operation, is_fast))
        add(single, single.turn < 0 ? ++n : static_cast<std::size_t>(single.turn));
    if (photo != nullptr)  // may be large: each filter once per type
        for (const PixelType type : kTypes) {
            const std::size_t first = pictures.size();
            for (const int channels : {3, 1, 4})
                pictures.push_back(
                    {photo->text(), convert(with_channels(photo->photo()->colour.copy(), channels),
                                            type, Layout::interleaved)});
            for (std::size_t f = 0; f < product; ++f)
                cases.push_back({first + f % 3, f, has_border ? f % end_border : standard, f});
        }
    std::stable_sort(cases.begin(), cases.end(), [this](const auto& a, const auto& b) {
        return pictures[a.picture].image.pixels() < pictures[b.picture].image.pixels();
    });
}

void VerifyPlan::add(const Single& single, std::size_t launch) {
    const auto is_same = [&](const Filter& filter) {
        return filter.name() == single.filter.name() && filter.taps() == single.filter.taps();
    };
    const auto border = std::find(all_borders().begin(), all_borders().end(), single.border);
    auto filter = std::find_if(filters.begin(), filters.end(), is_same);
    if (filter == filters.end()) filter = filters.insert(filter, single.filter);
    auto found = std::find_if(pictures.begin(), pictures.end(), [&](const VerifyPicture& drawn) {
        return drawn.name == single.picture && drawn.image.type() == single.storage.type &&
               drawn.image.channels() == single.storage.channels &&
               drawn.image.layout() == single.storage.layout;
    });
    if (found == pictures.end())
        found = pictures.insert(found, picture(single.picture, single.storage));
    cases.push_back({static_cast<std::size_t>(found - pictures.begin()),
                     static_cast<std::size_t>(filter - filters.begin()),
                     static_cast<std::size_t>(border - all_borders().begin()), launch, true});
}

Settings VerifyPlan::settings(const VerifyCase& one, const Variant& variant) const {
    const auto all = verify_settings(variant.uses);
    Settings settings = all[one.launch % all.size()];
    if (pictures[one.picture].name == kHuge)
        settings.threads = settings.block_threads = kManyThreads;
    return settings;
}

Launches VerifyPlan::launches(const VerifyCase& one,
                              const std::vector<const Variant*>& variants) const {
    const VerifyPicture& picture = pictures[one.picture];
    Launches all;
    for (std::size_t v = 0; v < variants.size(); ++v)
        if (takes(*variants[v], pictures[one.picture].image) &&
            (picture.name != kHuge || is_smallest(picture.image, *variants[v])))
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
    const bool smallest = size.name == options.sizes.front().name;
    Settings settings;
    settings.threads = cpu_count();
    settings.frames = 2;
    settings.filters = 2;
    settings.ranks = default_ranks();
    std::map<std::pair<PixelType, int>, Launches> all;
    for (std::size_t v = 0; v < options.variants.size(); ++v) {
        const Variant& variant = *options.variants[v];
        if (smallest || options.only_sizes || lab.backend_of(variant).is_timed())
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
        make_filter("3x3: 0 -1 0 -1 6 -1 0 -1 0 / 2"));  // beyond 255 in 16 bits of both signs
    all.push_back(
        make_filter("5x5: 1 -2 3 -4 5 6 7 -8 9 10 11 12 13 14 -15 16 17 18 19 20 21 -22 23 24 "
                    "25 / 250"));
    return all;
}

}  // namespace convolab
