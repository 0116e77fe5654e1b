// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "common/driver/verify.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {
namespace {

constexpr Storage kRgb = {PixelType::uint8, 3}, kGray = {PixelType::uint8, 1};
constexpr Storage kFour = {PixelType::uint8, 4}, kGrayInt = {PixelType::int32, 1};
constexpr int kSides[] = {3, 5, 7, 9};  // of the kernels that are compiled for one side
constexpr int kLargestSides[] = {17, 23, 31};

/// `make check` runs the quick jobs once more, slowly, with the emulator's threads in another order.
/// A wrong value is the same in each order: jobs that show nothing else are in the first one only.
bool is_repeated() {
    const char* const order = std::getenv("CUDA_ON_CPU_ORDER");
    return order != nullptr && std::string_view(order) != "forward";
}

/// Over 2^16 pixels, and in blocks of 5 x 5 over 1024 blocks: an index in 16 bits, a grid exchanged
/// with its block. Without a filter, over 1024 groups of 512 pixels, for which the scan of lab
/// 09 takes two rounds.
void add_large(std::vector<Single>& all, const Operation& operation) {
    constexpr int kTurn = 3;  // block 5, and the own kernel of lab 06
    const char* picture = operation.has_filter ? "random:257x257:13" : "random:1025x513:13";
    const Filter filter =
        make_filter(operation.has_filter ? "gaussian" : "identity", operation.has_filter ? 3 : 1);
    for (const PixelType type : {PixelType::uint8, PixelType::int32, PixelType::float32})
        for (const int channels : {3, 1})
            all.push_back({picture, {type, channels}, filter, {}, kTurn});
}

/// Lab 12 copies rows into a ring of slots. Here each slot is filled several times.
void add_rings(std::vector<Single>& all) {
    for (const int k : kSides) all.push_back({"random:24x520:14", kRgb, make_filter("box", k)});
    all.push_back({"random:600x480:15", kRgb, make_filter("box", 3)});
    all.push_back({"random:258x600:16", kRgb, make_filter("box", 3)});
}

/// Pictures that end a little after a strip of the packed kernels (480 bytes, lab 12: 768), or
/// with one, and after a few rows of a band.
void add_edges(std::vector<Single>& all, bool is_first) {
    std::size_t turn = 0;
    for (const Border& border : all_borders()) {
        for (const int k : kSides)
            all.push_back({"random:266x5:17", kRgb, make_filter("box", k), border});
        if (!is_first) continue;
        const Filter filter = make_filter("box", kSides[turn++ % std::size(kSides)]);
        all.push_back({"random:640x14:18", kRgb, filter, border});
        all.push_back({"random:798x9:19", kGray, filter, border});
        all.push_back({"random:199x9:20", kFour, filter, border});
    }
}

/// The largest sums: every sample is 255.
void add_white(std::vector<Single>& all, const Operation& operation) {
    std::size_t turn = 0;
    for (const Filter& filter : verify_filters(operation))
        all.push_back({"white:21x9", operation.frames == 2 ? kRgb : kFour, filter,
                       all_borders()[turn++ % all_borders().size()]});
}

/// The largest side of each variant is among these.
void add_large_sides(std::vector<Single>& all, bool is_first) {
    const auto is_largest = [](int k) { return std::ranges::count(kLargestSides, k) > 0; };
    for (int k = 11; k <= 31; k += 2)
        if (is_first || is_largest(k))
            all.push_back({"random:45x17:21", kRgb, make_filter("box", k)});
    if (!is_first) return;
    for (const int k : kLargestSides) {
        for (const Storage& storage : {kGray, kFour, kGrayInt})
            all.push_back({"random:45x17:21", storage, make_filter("box", k)});
        for (const Storage& storage : {kRgb, kFour, kGrayInt})
            all.push_back({"white:45x9", storage, make_filter("box", k)});
        all.push_back({"white:45x9", kFour, make_filter("gaussian", k)});
    }
}

}  // namespace

std::vector<Single> verify_singles(bool quick, const Operation& operation, bool is_fast) {
    std::vector<Single> all;
    const bool is_first = !quick || !is_repeated();
    if (is_first || !operation.has_filter) add_large(all, operation);
    if (is_first) add_white(all, operation);
    if (operation.has_filter) {
        add_rings(all);
        add_edges(all, is_first);
        if (operation.filters.empty()) add_large_sides(all, is_first);
    }
    const Filter filter = operation.has_filter ? make_filter("box", 3) : make_filter("identity", 1);
    if (!quick || is_fast) all.push_back({kHuge, kGray, filter});
    for (const Storage& storage : {kRgb, kGrayInt})
        if (!quick) all.push_back({kHuge, storage, filter});
    if (!operation.has_filter || !operation.has_border)
        for (Single& single : all) single.border = {};
    return all;
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

}  // namespace convolab
