// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <tuple>

#include "common/base/random_bits.hpp"
#include "common/driver/verify.hpp"

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

/// Which size, and which launch, a filter and a border get in a storage: the size that makes most
/// pairs with them that the storage has not met; then those that no storage has met, with the side
/// of the filter too; then those met least. The same for the launch. A seed decides between equals.
class PairwiseTable {
  public:
    explicit PairwiseTable(std::size_t sizes) : sizes_(sizes) {}

    void begin_storage() { met_here_.clear(); }
    /// The place of a size, and the number of a launch.
    std::pair<std::size_t, std::size_t> next(std::size_t filter, int ksize, std::size_t border) {
        const auto side = static_cast<std::size_t>(ksize);
        const std::size_t size = choose(sizes_, [&](std::size_t s) {
            return Groups{{0, filter, s}, {1, border, s}, {2, side, border, s}};
        });
        const std::size_t launch = choose(4 * 7, [&](std::size_t l) {  // of 1, 4 or 7 settings
            return Groups{{3, filter, l % 4}, {4, border, l % 4}, {5, size, l % 4},
                          {6, filter, l % 7}, {7, border, l % 7}, {8, size, l % 7}};
        });
        return {size, launch};
    }

  private:
    using Groups = std::vector<std::array<std::size_t, 4>>;

    /// A filter has the fewest cases, so its pairs come first.
    static bool is_of_filter(const Groups::value_type& group) {
        return group[0] == 0 || group[0] == 3 || group[0] == 6;
    }

    template <class GroupsOf>
    std::size_t choose(std::size_t n, const GroupsOf& groups_of) {
        std::tuple<int, int, int, std::uint64_t> best{-1, 0, 0, 0};
        std::size_t chosen = 0;
        for (std::size_t i = 0; i < n; ++i) {
            int new_here = 0, new_ever = 0, met = 0;
            for (const auto& group : groups_of(i)) {
                if (met_here_[group] == 0) new_here += is_of_filter(group) ? 2 : 1;
                new_ever += met_ever_[group] == 0;
                met += met_here_[group];
            }
            seed_ = random_bits(seed_ + kRandomStep);
            const std::tuple here{new_here, new_ever, -met, seed_};
            if (here <= best) continue;
            best = here;
            chosen = i;
        }
        for (const auto& group : groups_of(chosen)) {
            ++met_here_[group];
            ++met_ever_[group];
        }
        return chosen;
    }

    std::size_t sizes_;
    std::uint64_t seed_ = 1;
    std::map<std::array<std::size_t, 4>, int> met_here_, met_ever_;
};

}  // namespace

VerifyPlan::VerifyPlan(const Operation& operation) : filters(verify_filters(operation)) {}

VerifyPlan::VerifyPlan(bool quick, const PictureSource* photo, const Operation& operation,
                       bool is_fast)
    : VerifyPlan(operation) {
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
    // A filter with a border meets one of the two layouts, and both are one storage to the table.
    const bool shares_layouts = quick && operation.has_filter;
    PairwiseTable table(names.size());
    for (const Storage& storage : all_storages()) {
        const std::size_t first = pictures.size();
        for (const char* name : names) pictures.push_back(picture(name, storage));
        const bool is_planar = storage.layout == Layout::planar;
        if (!(shares_layouts && is_planar)) table.begin_storage();
        for (std::size_t f = 0; f < filters.size(); ++f)
            for (std::size_t b = first_border; b < end_border; ++b)
                for (std::size_t r = 0; r < repeats; ++r) {
                    if (shares_layouts && storage.channels > 1 && (f + b + r) % 2 != is_planar)
                        continue;
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

}  // namespace convolab
