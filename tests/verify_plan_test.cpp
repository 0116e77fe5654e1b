// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <tuple>

#include "common/driver/verify.hpp"
#include "common/media/png.hpp"
#include "common/variant/lab.hpp"
#include "tests/catch.hpp"
#include "tests/kit.hpp"
#include "tests/toy_gpu.hpp"

using namespace convolab;

namespace {

/// A variant like the labs': what it takes, and how many settings it is launched with.
struct Kind {
    std::vector<PixelType> types;
    std::vector<int> channels;
    unsigned uses;
};

const Kind kKinds[] = {
    {{PixelType::uint8}, {3, 1, 4}, kUsesNothing},
    {{PixelType::uint8}, {3, 1, 4}, kUsesThreads | kUsesBlock},
    {{PixelType::uint8, PixelType::float32}, {3, 1, 4}, kUsesBlock},
    {{PixelType::uint8}, {3}, kUsesBlock},
    {{PixelType::uint8}, {3, 1, 4}, kUsesRanks | kUsesPasses},
    {{PixelType::int32}, {1}, kUsesBlock},
    {{PixelType::uint8, PixelType::int32, PixelType::float32}, {3, 1, 4}, kUsesNothing},
};

Variant variant_of(const Kind& kind) {
    Variant variant;
    variant.types = kind.types;
    variant.channels = kind.channels;
    variant.uses = kind.uses;
    return variant;
}

void check_pairs(const VerifyPlan& plan, const Kind& kind, const Operation& operation) {
    const Variant variant = variant_of(kind);
    std::set<std::string> names;
    for (const VerifyCase& one : plan.cases)
        if (!one.is_single) names.insert(plan.pictures[one.picture].name);
    const std::size_t settings = verify_settings(kind.uses).size();
    std::size_t storages = 0;
    for (const int channels : kind.channels) storages += channels == 1 ? 1 : 2;
    storages *= kind.types.size();
    using Storage = std::tuple<PixelType, int, Layout>;
    std::set<std::tuple<std::size_t, std::size_t>> filter_border, filter_setting, border_setting;
    std::set<std::tuple<std::size_t, std::string>> filter_size, border_size, setting_size;
    std::set<std::tuple<std::size_t, Storage>> filter_storage, border_storage, setting_storage;
    std::set<std::tuple<std::string, Storage>> size_storage;
    std::set<std::tuple<int, std::size_t, std::string>> ksize_border_size;
    for (const VerifyCase& one : plan.cases) {
        const VerifyPicture& picture = plan.pictures[one.picture];
        const Image& image = picture.image;
        if (!takes(variant, image) || one.is_single) continue;
        const Storage storage = {image.type(), image.channels(), image.layout()};
        const std::size_t setting = one.launch % settings;
        filter_border.emplace(one.filter, one.border);
        filter_setting.emplace(one.filter, setting);
        border_setting.emplace(one.border, setting);
        filter_size.emplace(one.filter, picture.name);
        border_size.emplace(one.border, picture.name);
        setting_size.emplace(setting, picture.name);
        filter_storage.emplace(one.filter, storage);
        border_storage.emplace(one.border, storage);
        setting_storage.emplace(setting, storage);
        size_storage.emplace(picture.name, storage);
        ksize_border_size.emplace(plan.filters[one.filter].ksize(), one.border, picture.name);
    }
    const bool has_border = operation.has_filter && operation.has_border;
    const std::size_t filters = verify_filters(operation).size();
    const std::size_t borders = has_border ? all_borders().size() : 1;
    const std::size_t sizes = names.size();
    CHECK(filter_border.size() == filters * borders);
    CHECK(filter_setting.size() == filters * settings);
    CHECK(border_setting.size() == borders * settings);
    CHECK(filter_size.size() == filters * sizes);
    CHECK(border_size.size() == borders * sizes);
    CHECK(setting_size.size() == settings * sizes);
    CHECK(filter_storage.size() == filters * storages);
    CHECK(border_storage.size() == borders * storages);
    CHECK(setting_storage.size() == settings * storages);
    CHECK(size_storage.size() == sizes * storages);
    if (storages >= 5 && has_border) CHECK(ksize_border_size.size() == 4 * borders * sizes);
}

}  // namespace

TEST_CASE("verify meets every pair of filter, border, size, storage and setting for each variant") {
    Operation noise_filter, of_frames;  // of labs 10, 08 and 09
    noise_filter.has_border = false;
    noise_filter.filters = {"box", "gaussian", "median"};
    of_frames.has_filter = false;
    of_frames.frames = 2;
    for (const Operation& operation : {Operation(), noise_filter, of_frames})
        for (const bool quick : {false, true}) {
            const VerifyPlan plan({.quick = quick}, operation);
            for (const Kind& kind : kKinds) {
                INFO((quick ? "quick" : "full")
                     << ", " << operation.frames << " frames, border " << operation.has_border
                     << ", " << kind.types.size() << " types, " << kind.channels.size()
                     << " kinds of channels, " << verify_settings(kind.uses).size() << " settings");
                check_pairs(plan, kind, operation);
            }
        }
}

TEST_CASE("verify compares the same jobs in every call") {
    const auto jobs = [] {
        std::vector<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> all;
        for (const VerifyCase& one : VerifyPlan({.quick = true}).cases)
            all.emplace_back(one.picture, one.filter, one.border, one.launch);
        return all;
    };
    CHECK(jobs() == jobs());
}

TEST_CASE("verify meets every variant with more pixels than fit in 16 bits, in over 1024 blocks") {
    for (const bool quick : {false, true})
        for (const bool has_filter : {false, true}) {
            Operation operation;
            operation.has_filter = has_filter;
            const VerifyPlan plan({.quick = quick}, operation);
            for (const Kind& kind : kKinds) {
                const Variant variant = variant_of(kind);
                std::int64_t pixels = 0, blocks = 0;
                for (const VerifyCase& one : plan.cases) {
                    const Image& image = plan.pictures[one.picture].image;
                    if (!takes(variant, image) || image.pixels() > 1 << 24) continue;
                    const int side = plan.settings(one, variant).block;
                    pixels = std::max(pixels, image.pixels());
                    if (side > 0)
                        blocks = std::max(blocks, (image.width() + side - 1) / side *
                                                      ((image.height() + side - 1) / side));
                }
                CHECK(pixels > 1 << 16);
                if (kind.uses & kUsesBlock) CHECK(blocks > 1024);
            }
        }
}

TEST_CASE("verify begins with the smallest pictures and repeats no case") {
    const VerifyPlan plan(VerifyScope{});
    std::set<std::tuple<std::size_t, std::size_t, std::size_t>> met;
    std::int64_t before = 0;
    for (const VerifyCase& one : plan.cases) {
        const std::int64_t pixels = plan.pictures[one.picture].image.pixels();
        CHECK(pixels >= before);
        before = pixels;
        CHECK(met.emplace(one.picture, one.filter, one.border).second);
    }
}

TEST_CASE("for the scene alone verify draws no other picture, which takes long") {
    const VerifyPlan plan(Operation{});
    CHECK(plan.pictures.empty());
    CHECK(plan.cases.empty());
    CHECK(plan.filters.size() == verify_filters().size());
}

TEST_CASE("a picture of the user meets every filter in every type") {
    const test::Folder folder;
    write_png(folder.file("own.png"), random_image(9, 6, 3, PixelType::uint8, 1));
    const PictureSource photo(folder.file("own.png"));
    const VerifyPlan plan({.quick = true}, {}, {}, &photo);
    std::set<std::tuple<std::size_t, PixelType>> met;
    for (const VerifyCase& one : plan.cases)
        if (plan.pictures[one.picture].name == folder.file("own.png"))
            met.emplace(one.filter, plan.pictures[one.picture].image.type());
    CHECK(met.size() == 3 * verify_filters().size());
}

TEST_CASE("every setting in use changes from one launch of verify to the next") {
    for (const Setting& setting : kSettings) {
        std::set<int> met;
        for (const Settings& settings : verify_settings(setting.use))
            met.insert(settings.*setting.value);
        CHECK(met.size() >= 2);
    }
    CHECK(verify_settings(kUsesNothing).size() == 1);
}

TEST_CASE("verify has one picture with more pixels than a float counts, and many threads for it") {
    for (const bool has_filter : {false, true}) {
        Operation operation;
        operation.has_filter = has_filter;
        const VerifyPlan plan(VerifyScope{}, operation);
        for (const Kind& kind : kKinds) {
            const Variant variant = variant_of(kind);
            int huge = 0;
            for (const VerifyCase& one : plan.cases) {
                const std::int64_t pixels = plan.pictures[one.picture].image.pixels();
                if (pixels <= 1 << 24) continue;
                for (const auto& [v, settings] : plan.launches(one, {&variant})) {
                    ++huge;
                    CHECK(pixels * settings.threads > std::int64_t{1} << 31);
                    CHECK(pixels * settings.block_threads > std::int64_t{1} << 31);
                }
            }
            CHECK(huge == 1);
        }
    }
}

TEST_CASE("quick verify has one such picture on a fast machine, and none on an emulator") {
    for (const bool is_fast : {false, true}) {
        const VerifyPlan plan({.quick = true, .is_fast = is_fast});
        int huge = 0;
        for (const VerifyCase& one : plan.cases)
            huge += plan.pictures[one.picture].image.pixels() > 1 << 24;
        CHECK(huge == is_fast);
    }
}

TEST_CASE("quick verify in another order of threads keeps the largest sides") {
    const VerifyPlan first({.quick = true}), again({.quick = true, .is_repeated = true});
    std::set<int> sides;
    for (const VerifyCase& one : again.cases) {
        CHECK(again.pictures[one.picture].name != "white:21x9");
        sides.insert(again.filters[one.filter].ksize());
    }
    for (const int side : {17, 23, 31}) CHECK(sides.count(side) == 1);
    CHECK(again.cases.size() < first.cases.size());
}

TEST_CASE("verify, quick and full and repeated, meets the awkward pictures of each variant") {
    Variant of_strips, of_rings;
    of_strips.awkward = {{"random:30x5:1", 3, {3, 9}, true}};
    of_rings.awkward = {{"random:31x5:1", 4, {5}}, of_strips.awkward.front()};
    Operation of_frames;
    of_frames.has_filter = false;
    for (const bool quick : {false, true})
        for (const bool is_repeated : {false, true}) {
            const VerifyScope scope{.quick = quick, .is_repeated = is_repeated};
            const auto met = [&](const Operation& operation) {
                std::multiset<std::pair<std::string, int>> all;
                const VerifyPlan plan(scope, operation, {&of_strips, &of_rings});
                for (const VerifyCase& one : plan.cases) {
                    const auto& [name, image] = plan.pictures[one.picture];
                    if (name.ends_with("x5:1"))
                        all.emplace(name + ' ' + describe(image), plan.filters[one.filter].ksize());
                }
                return all;
            };
            std::multiset<std::pair<std::string, int>> expected;
            const std::string strips =
                "random:30x5:1 " + describe(random_image(30, 5, 3, PixelType::uint8, 1));
            const std::string rings =
                "random:31x5:1 " + describe(random_image(31, 5, 4, PixelType::uint8, 1));
            for (std::size_t b = 0; b < all_borders().size(); ++b)
                for (const int side : {3, 9}) expected.emplace(strips, side);
            expected.emplace(rings, 5);
            CHECK(met({}) == expected);
            CHECK(met(of_frames).size() == 2);
        }
}

TEST_CASE("verify, quick and full, has the largest sums, and sides up to 31") {
    for (const bool quick : {false, true}) {
        const VerifyPlan plan({.quick = quick});
        std::set<std::pair<std::string, int>> white;
        std::set<int> sides, sides_of_gray;
        for (const VerifyCase& one : plan.cases) {
            const auto& [name, image] = plan.pictures[one.picture];
            const Filter& filter = plan.filters[one.filter];
            if (name.starts_with("white") && image.channels() == 4) {
                white.emplace(filter.name(), filter.ksize());
                for (std::int64_t i = 0; i < image.samples(); ++i)
                    if (image.data<std::uint8_t>()[i] != 255) FAIL("sample " << i);
            }
            if (image.type() == PixelType::uint8) sides.insert(filter.ksize());
            if (image.type() == PixelType::int32) sides_of_gray.insert(filter.ksize());
        }
        for (const Filter& filter : verify_filters())
            CHECK(white.count({filter.name(), filter.ksize()}) == 1);
        for (int k = 3; k <= 31; k += 2) CHECK(sides.count(k) == 1);
        for (const int k : {17, 23, 31}) {
            CHECK(white.count({"box", k}) == 1);
            CHECK(white.count({"gaussian", k}) == 1);
            CHECK(sides_of_gray.count(k) == 1);
        }
    }
}

TEST_CASE("verify has a filter of side 3 that divides sums far below 0 and far above 255") {
    const auto is_one = [](const Filter& filter) {
        std::int64_t least = 0, most = 0;
        for (const std::int32_t tap : filter.taps()) (tap < 0 ? least : most) += 255 * tap;
        return filter.ksize() == 3 && filter.divisor() > 1 && least / filter.divisor() < -255 &&
               most / filter.divisor() > 2 * 255;
    };
    const auto filters = verify_filters();
    CHECK(std::any_of(filters.begin(), filters.end(), is_one));
}
