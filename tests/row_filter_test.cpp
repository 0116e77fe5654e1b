// SPDX-License-Identifier: MIT
// RowFilter compared with the reference, with every instruction set of this machine.
#include "common/row_filter/row_filter.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include "common/base/error.hpp"
#include "common/convolution/reference.hpp"
#include "common/video/pictures.hpp"
#include "tests/catch.hpp"

using namespace convolab;

namespace {

/// Sets CONVOLAB_ISA for a scope.
class IsaLimit {
  public:
    explicit IsaLimit(const char* name) {
        if (const char* before = std::getenv("CONVOLAB_ISA")) before_ = before;
        setenv("CONVOLAB_ISA", name, 1);
    }
    ~IsaLimit() {
        if (before_)
            setenv("CONVOLAB_ISA", before_->c_str(), 1);
        else
            unsetenv("CONVOLAB_ISA");
    }
    IsaLimit(const IsaLimit&) = delete;
    IsaLimit& operator=(const IsaLimit&) = delete;

  private:
    std::optional<std::string> before_;
};

const std::vector<std::string>& isas() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const char* name : {"plain", "avx2", "avx512", "avx512vnni"}) try {
                const IsaLimit limit(name);
                choose_isa();
                found.emplace_back(name);
            } catch (const Error&) {
            }
        return found;
    }();
    return names;
}

struct Named {
    std::string text;
    std::optional<int> ksize;
    std::optional<double> sigma;

    Filter filter() const { return make_filter(text, ksize, sigma); }
};

std::string describe(const Named& f) {
    return f.text + (f.ksize ? " " + std::to_string(*f.ksize) : "") +
           (f.sigma ? " sigma " + std::to_string(*f.sigma) : "");
}

/// Checks all instruction sets, in bands of rows that start and end anywhere.
void check(const Image& image, const Named& named, const Border& border) {
    const Filter filter = named.filter();
    const Job job{{&image}, filter, border, {}};
    if (job.out_width() < 1 || job.out_height() < 1) return;
    if (border.rule == BorderRule::renormalise && !filter.can_renormalise()) return;
    const Image expected = reference_convolution(job);
    for (const std::string& isa : isas()) {
        const IsaLimit limit(isa.c_str());
        const RowFilter rows(job);
        auto scratch = rows.make_scratch();
        for (const std::int64_t band : {expected.height(), std::int64_t{1}, std::int64_t{7}}) {
            Image out(expected.width(), expected.height(), expected.channels());
            out.poison();
            for (std::int64_t y = 0; y < out.height(); y += band)
                rows.rows(y, std::min(y + band, out.height()), out, scratch);
            const Comparison result = compare(out, expected, 0);
            INFO(isa << ", " << describe(named) << ", " << to_string(border) << ", "
                     << convolab::describe(image) << ", bands of " << band << ": " << result.first);
            REQUIRE(result.different == 0);
        }
    }
}

Image noise(std::int64_t width, std::int64_t height, int channels) {
    return random_image(width, height, channels, PixelType::uint8,
                        static_cast<unsigned>(width * 31 + height * 7 + channels));
}
/// Only 0 and 255, which give the largest sums.
Image extremes(std::int64_t width, std::int64_t height, int channels) {
    Image image = noise(width, height, channels);
    auto* samples = image.data<std::uint8_t>();
    for (std::int64_t i = 0; i < image.samples(); ++i) samples[i] = samples[i] < 100 ? 0 : 255;
    return image;
}
Image white(std::int64_t width, std::int64_t height, int channels) {
    Image image(width, height, channels);
    image.poison(255);
    return image;
}

const std::vector<Named>& filters() {
    static const std::vector<Named> all = {
        {"identity", {}, {}},
        {"box", 3, {}},
        {"box", 5, {}},
        {"gaussian", 3, {}},
        {"gaussian", 5, {}},
        {"gaussian", 5, 1.2},
        {"gaussian", 5, 0.3},
        {"gaussian", 7, {}},
        {"gaussian", 9, {}},
        {"sharpen", {}, {}},
        {"edge", 3, {}},
        {"edge", 5, {}},
        {"laplacian", {}, {}},
        {"emboss", {}, {}},
        {"sobel_x", {}, {}},
        {"sobel_y", {}, {}},
        {"unsharp", {}, {}},
        {"3x3: 1 2 3 4 5 6 7 8 9 / 45", {}, {}},         // all taps differ, so a flip shows
        {"3x3: -1 -2 -3 -4 5 -6 -7 -8 -9 / 7", {}, {}},  // negative sums
        {"3x3: -1 -2 -1 2 4 2 -1 -2 -1 / 3", {}, {}},    // a product with negative taps
        {"3x3: 300 -600 300 -600 1200 -600 300 -600 300 / 100", {}, {}},
        {"3x3: 0 1 0 0 -40000 0 0 1 0 / 3", {}, {}},    // taps beyond 16 bits
        {"3x3: 0 0 0 0 40000 0 0 0 0 / 9999", {}, {}},  // a divisor beyond 8192
        {"3x3: 1 200 1 200 40000 200 1 200 1 / 40804", {}, {}},
        {"3x3: 0 0 0 0 0 0 0 0 0 / 5", {}, {}},
        {"1x1: 128 / 255", {}, {}},
    };
    return all;
}

}  // namespace

TEST_CASE("every filter, border and channel count at awkward sizes") {
    for (const int channels : {1, 3, 4})
        for (const Border& border : all_borders())
            for (const Named& filter : filters()) {
                check(noise(1, 1, channels), filter, border);
                check(noise(97, 9, channels), filter, border);
                check(extremes(131, 6, channels), filter, border);
            }
}

TEST_CASE("every width from 1 to 70") {
    const Named kinds[] = {
        {"gaussian", 5, {}}, {"gaussian", 7, 1.5}, {"sharpen", {}, {}}, {"unsharp", {}, {}}};
    for (int width = 1; width <= 70; ++width)
        for (const int channels : {1, 3, 4})
            for (const Named& filter : kinds) {
                check(noise(width, 5, channels), filter, {BorderRule::reflect101});
                check(noise(width, 8, channels), filter, {BorderRule::constant, 201});
            }
    // Every remainder of a row, in images wide enough for the blocks between the borders.
    for (int width = 330; width <= 394; ++width)
        for (const Named& filter : kinds) {
            check(noise(width, 6, 1), filter, {});
            check(noise(width, 7, 1), filter, {BorderRule::valid});
        }
}

TEST_CASE("Gaussians and boxes of every side") {
    for (int k = 1; k <= 31; k += 2) {
        const Named all[] = {{"gaussian", k, {}}, {"gaussian", k, 0.5 + k / 5.0}, {"box", k, {}}};
        for (const Named& filter : all)
            for (const Border& border : {Border{BorderRule::reflect}, Border{BorderRule::valid}}) {
                check(noise(150, 37, 3), filter, border);
                check(extremes(401, 33, 1), filter, border);
                check(white(160, 32, 4), filter, border);
            }
    }
    check(noise(90, 5, 3), {"box", 255, {}}, {BorderRule::wrap});
    check(noise(700, 3, 3), {"box", 91, {}}, {});
    check(extremes(600, 3, 1), {"edge", 11, {}}, {BorderRule::wrap});
}

TEST_CASE("every way to round an outer product, in whole groups and in the rest") {
    const Named filters[] = {
        {"gaussian", 7, {}},                           // the upper words of the sums
        {"sobel_y", {}, {}},                           // a shift
        {"3x3: 1 2 3 2 4 6 3 6 9 / 36", {}, {}},       // a multiplication
        {"3x3: -3 6 -3 -3 6 -3 -3 6 -3 / 4", {}, {}},  // the upper words, negative sums
        {"gaussian", 9, 0.9},
        {"gaussian", 3, 0.7},
        {"box", 7, {}},
        {"box", 9, {}}};
    for (const Named& filter : filters)
        for (int height = 1; height <= 35; ++height) {
            check(noise(131, height, 3), filter, {});
            check(extremes(400, height, 1), filter, {BorderRule::wrap});
        }
}

TEST_CASE("rows of several strips") {
    for (const int ksize : {5, 7, 9, 11})
        for (const int width : {511, 576, 577, 1088, 1120})
            check(extremes(width, 27, 1), {"gaussian", ksize, 1.4}, {BorderRule::reflect});
}

TEST_CASE("a Gaussian of every width that splits its centre tap") {
    for (int tenth = 1; tenth <= 40; ++tenth)
        check(extremes(110, 9, 3), {"gaussian", 5, tenth / 10.0}, {});
}

TEST_CASE("images larger than the last-level cache use non-temporal stores") {
    for (const Named& filter : {Named{"gaussian", 3, {}},
                                {"gaussian", 5, {}},
                                {"gaussian", 3, 0.6},
                                {"gaussian", 7, {}},
                                {"box", 3, {}},
                                {"sobel_x", {}, {}},
                                {"sharpen", {}, {}},
                                {"3x3: 300 0 0 0 0 0 0 0 300 / 600", {}, {}}})
        check(noise(2048, 3000, 3), filter, {});
    check(noise(2043, 3000, 3), {"gaussian", 3, {}}, {});
}

TEST_CASE("CONVOLAB_ISA chooses the instruction set; a wrong name is an error") {
    {
        const IsaLimit limit("plain");
        CHECK(choose_isa() == Isa::plain);
    }
    const IsaLimit limit("mmx");
    const Image image = noise(8, 8, 1);
    const Job job{{&image}, make_filter("identity"), {}, {}};
    CHECK_THROWS_AS(RowFilter(job), Error);
}
