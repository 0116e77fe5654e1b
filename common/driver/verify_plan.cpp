// SPDX-License-Identifier: MIT
// The jobs of verify: a product of filters, borders and storages, in which the picture and the
// settings change from one job to the next; and single jobs for what a small picture does not show.
#include <algorithm>
#include <set>

#include "common/driver/verify.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {
namespace {

using enum PixelType;

constexpr const char* kPictures[] = {
    "random:1x1:1",      "random:1x7:2",   "random:7x1:3",    "random:2x2:4",   "random:5x4:5",
    "random:15x15:6",    "random:16x16:7", "random:17x31:8",  "random:33x17:9", "random:64x48:10",
    "random:1001x13:11", "scene:240x135",  "random:4097x3:12"};
constexpr const char* kQuickPictures[] = {"random:1x1:1", "random:2x3:2", "random:17x31:8",
                                          "random:421x13:3", "scene:37x60"};

constexpr PixelType kTypes[] = {uint8, int32, float32};
constexpr Storage kRgb = {uint8, 3}, kGray = {uint8, 1}, kFour = {uint8, 4}, kGrayInt = {int32, 1};

std::vector<Storage> all_storages() {
    using enum Layout;
    std::vector<Storage> all;
    for (const auto type : kTypes)
        for (const auto& [channels, layout] :
             {std::pair{3, interleaved}, std::pair{3, planar}, std::pair{1, interleaved},
              std::pair{4, interleaved}, std::pair{4, planar}})
            all.push_back({type, channels, layout});
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

std::size_t number_of(const Border& border) {
    return std::find(all_borders().begin(), all_borders().end(), border) - all_borders().begin();
}

struct Single {
    std::string picture;  ///< as option --image of `lab run` takes it
    Storage storage;
    Filter filter;
    Border border = {};
    int turn = -1;  ///< of the settings; -1: the next one
};

/// Over 2^16 pixels, and in blocks of 5 x 5 over 1024 blocks: an index in 16 bits, a grid exchanged
/// with its block.
void add_large(std::vector<Single>& all, const Operation& operation) {
    constexpr int kTurn = 3;  // block 5, and kernel 1
    const Filter filter =
        make_filter(operation.has_filter ? "gaussian" : "identity", operation.has_filter ? 3 : 1);
    for (const PixelType type : kTypes)
        for (const int channels : {3, 1})
            all.push_back({"random:257x257:13", {type, channels}, filter, {}, kTurn});
}

/// The largest sums: every sample is 255.
void add_white(std::vector<Single>& all, const Operation& operation) {
    std::size_t turn = 0;
    for (const Filter& filter : verify_filters(operation))
        all.push_back({"white:21x9", operation.frames == 2 ? kRgb : kFour, filter,
                       all_borders()[turn++ % all_borders().size()]});
}

/// The largest side of each variant is among these.
void add_large_sides(std::vector<Single>& all, bool is_repeated) {
    for (const int k : {17, 23, 31})
        all.push_back({"random:45x17:21", kRgb, make_filter("box", k)});
    if (is_repeated) return;
    for (const int k : {11, 13, 15, 19, 21, 25, 27, 29})
        all.push_back({"random:45x17:21", kRgb, make_filter("box", k)});
    for (const int k : {17, 23, 31}) {
        for (const Storage& storage : {kGray, kFour, kGrayInt})
            all.push_back({"random:45x17:21", storage, make_filter("box", k)});
        for (const Storage& storage : {kRgb, kFour, kGrayInt})
            all.push_back({"white:45x9", storage, make_filter("box", k)});
        all.push_back({"white:45x9", kFour, make_filter("gaussian", k)});
    }
}

/// What the variants ask for; a picture that several name is drawn once.
void add_awkward(std::vector<Single>& all, const Operation& operation,
                 const std::vector<const Variant*>& variants) {
    const bool has_border = operation.has_filter && operation.has_border;
    std::set<std::string> met;
    for (const Variant* variant : variants)
        for (const AwkwardPicture& one : variant->awkward) {
            if (!met.insert(one.picture).second) continue;
            for (const int side : operation.has_filter ? one.sides : std::vector{1})
                for (const Border& border : all_borders())
                    if ((one.each_border && has_border) || border == Border{})
                        all.push_back({one.picture,
                                       {uint8, one.channels},
                                       make_filter(operation.has_filter ? "box" : "identity", side),
                                       border});
        }
}

std::vector<Single> singles(const VerifyScope& scope, const Operation& operation,
                            const std::vector<const Variant*>& variants) {
    std::vector<Single> all;
    const bool is_repeated = scope.quick && scope.is_repeated;
    if (!is_repeated) add_large(all, operation);
    if (!is_repeated) add_white(all, operation);
    add_awkward(all, operation, variants);
    if (operation.has_filter && operation.filters.empty()) add_large_sides(all, is_repeated);
    const Filter filter = operation.has_filter ? make_filter("box", 3) : make_filter("identity", 1);
    if (!scope.quick || scope.is_fast) all.push_back({kHuge, kGray, filter});
    for (const Storage& storage : {kRgb, kGrayInt})
        if (!scope.quick) all.push_back({kHuge, storage, filter});
    if (!operation.has_filter || !operation.has_border)
        for (Single& single : all) single.border = {};
    return all;
}

}  // namespace

VerifyPlan::VerifyPlan(const Operation& operation) : filters(verify_filters(operation)) {}

VerifyPlan::VerifyPlan(const VerifyScope& scope, const Operation& operation,
                       const std::vector<const Variant*>& variants, const PictureSource* photo)
    : VerifyPlan(operation) {
    const bool has_border = operation.has_filter && operation.has_border;
    const std::size_t edge = number_of(Border{});
    add_product(scope.quick, operation);
    const std::size_t product = filters.size();
    std::size_t n = 0;
    for (const Single& single : singles(scope, operation, variants))
        add(single.picture, single.storage,
            {0, place_of(single.filter), number_of(single.border),
             single.turn < 0 ? ++n : static_cast<std::size_t>(single.turn), true});
    if (photo != nullptr)  // may be large: each filter once per type
        for (const PixelType type : kTypes) {
            const std::size_t first = pictures.size();
            for (const int channels : {3, 1, 4})
                pictures.push_back(
                    {photo->text(), convert(with_channels(photo->photo()->colour.copy(), channels),
                                            type, Layout::interleaved)});
            for (std::size_t f = 0; f < product; ++f)
                cases.push_back(
                    {first + f % 3, f, has_border ? f % all_borders().size() : edge, f});
        }
    std::stable_sort(cases.begin(), cases.end(), [this](const auto& a, const auto& b) {
        return pictures[a.picture].image.pixels() < pictures[b.picture].image.pixels();
    });
}

/// In both sums of the loop, every step is prime to the number of what it chooses from, so that
/// each picture and each of 4 or 7 settings meets each filter, border, storage and other
/// (tests/verify_plan_test.cpp).
void VerifyPlan::add_product(bool quick, const Operation& operation) {
    const bool has_border = operation.has_filter && operation.has_border;
    std::vector<const char*> names(std::begin(kPictures), std::end(kPictures));
    if (quick) names.assign(std::begin(kQuickPictures), std::end(kQuickPictures));
    const std::size_t repeats = !operation.has_filter ? 4 * names.size()
                                : !has_border         ? names.size()
                                : quick               ? 1
                                                      : 2;
    // A filter with a border meets one of the two layouts.
    const bool shares_layouts = quick && operation.has_filter;
    for (const Storage& storage : all_storages()) {
        const std::size_t first = pictures.size();
        for (const char* name : names) pictures.push_back(picture(name, storage));
        const std::size_t is_planar = storage.layout == Layout::planar;
        for (std::size_t f = 0; f < filters.size(); ++f)
            for (std::size_t b = 0; b < (has_border ? all_borders().size() : 1); ++b)
                for (std::size_t r = 0; r < repeats; ++r) {
                    if (shares_layouts && storage.channels > 1 && (f + b + r) % 2 != is_planar)
                        continue;
                    const std::size_t size = f + repeats * b + r + storage.channels;
                    const std::size_t launch = f / 2 + 3 * (b + r) + storage.channels;
                    cases.push_back({first + size % names.size(), f,
                                     has_border ? b : number_of(Border{}), launch});
                }
    }
}

std::size_t VerifyPlan::place_of(const Filter& filter) {
    auto found = std::find_if(filters.begin(), filters.end(), [&](const Filter& other) {
        return other.name() == filter.name() && other.taps() == filter.taps();
    });
    if (found == filters.end()) found = filters.insert(found, filter);
    return found - filters.begin();
}

void VerifyPlan::add(const std::string& name, const Storage& storage, VerifyCase one) {
    auto found = std::find_if(pictures.begin(), pictures.end(), [&](const VerifyPicture& drawn) {
        return drawn.name == name && drawn.image.type() == storage.type &&
               drawn.image.channels() == storage.channels && drawn.image.layout() == storage.layout;
    });
    if (found == pictures.end()) found = pictures.insert(found, picture(name, storage));
    one.picture = found - pictures.begin();
    cases.push_back(one);
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

std::vector<Filter> verify_filters(const Operation& operation) {
    if (!operation.has_filter) return {make_filter("identity", 1)};
    const bool takes_all = operation.filters.empty();
    std::vector<Filter> all;
    for (const auto& name : takes_all ? filter_names() : operation.filters) {
        if (!filter_has_sizes(name)) {
            all.push_back(make_filter(name));
            continue;
        }
        for (const int k : {3, 5, 7, 9}) all.push_back(make_filter(name, k));
    }
    if (!takes_all) return all;
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
