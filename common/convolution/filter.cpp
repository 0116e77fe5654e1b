// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/convolution/filter.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "common/base/did_you_mean.hpp"
#include "common/base/error.hpp"

namespace convolab {
namespace {

using Taps = std::vector<std::int32_t>;

Taps outer(const Taps& column, const Taps& row) {
    Taps taps;
    for (const auto c : column)
        for (const auto r : row) taps.push_back(c * r);
    return taps;
}

Taps square(int ksize, std::int32_t around, std::int32_t centre) {
    Taps taps(static_cast<std::size_t>(ksize) * ksize, around);
    taps[taps.size() / 2] = centre;
    return taps;
}

Taps unsharp_taps() {
    Taps taps = outer({1, 4, 6, 4, 1}, {1, 4, 6, 4, 1});
    for (auto& tap : taps) tap = -tap;
    taps[12] = 476;
    return taps;
}

constexpr std::int32_t kMaximum = 65536;  // of a divisor, and of the taps together
constexpr const char* kExample = "\"3x3: 1 2 1 2 4 2 1 2 1 / 16\"";

/// Reads "KxK: a b c ... / divisor".
class TypedFilter {
  public:
    explicit TypedFilter(const std::string& text) : text_(text), rest_(text) {}

    Filter parse() {
        if (rest_.find_first_of("[](){}") != std::string_view::npos) fail("it has brackets");
        const int columns = number();
        expect('x');
        const int rows = number();
        expect(':');
        if (rows != columns) fail("it must be square");
        if (columns < 1 || columns > 255) fail("its side must be odd, from 1 to 255");
        Taps taps;
        while (next() != '/' && next() != 0) taps.push_back(number());
        if (taps.size() != static_cast<std::size_t>(rows) * columns)
            fail("it has " + std::to_string(taps.size()) + " taps and " + std::to_string(rows) +
                 'x' + std::to_string(columns) + " needs " + std::to_string(rows * columns));
        int divisor = 1;
        if (next() != 0) {
            expect('/');
            divisor = number();
        }
        if (next() != 0) fail("'" + std::string(rest_) + "' is left over");
        return Filter("typed", columns, std::move(taps), divisor);
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw UsageError("Filter '" + text_ + "' cannot be read: " + why + "; write it as " +
                         kExample + ".");
    }
    /// The next character that is no space; 0 at the end.
    char next() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" ,"), rest_.size()));
        return rest_.empty() ? '\0' : rest_.front();
    }
    void expect(char c) {
        if (std::tolower(next()) != c) fail("'" + std::string(1, c) + "' is missing");
        rest_.remove_prefix(1);
    }
    int number() {
        next();
        const std::string word(rest_.substr(0, rest_.find_first_of(" ,xX:/")));
        if (word.empty()) fail("a whole number is missing");
        int value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || value < -kMaximum ||
            value > kMaximum)
            fail("'" + word + "' is not a whole number from -65536 to 65536");
        rest_.remove_prefix(word.size());
        return value;
    }

    const std::string& text_;
    std::string_view rest_;
};

struct Named {
    const char* name;
    int ksize;  // the default, or the only one
    bool any_size;
    bool is_convolution = true;
};
constexpr Named kNamed[] = {
    {"identity", 3, true}, {"box", 5, true},          {"gaussian", 5, true},
    {"sharpen", 3, false}, {"edge", 3, true},         {"laplacian", 3, false},
    {"emboss", 3, false},  {"sobel_x", 3, false},     {"sobel_y", 3, false},
    {"unsharp", 5, false}, {"median", 3, true, false}};

Filter named_filter(const std::string& name, int k, std::optional<double> sigma) {
    if (name == "identity") return Filter(name, k, square(k, 0, 1), 1);
    if (name == "box" || name == "median") return Filter(name, k, square(k, 1, 1), k * k);
    if (name == "gaussian") {
        const Taps taps = gaussian_taps(k, sigma);
        return Filter(name, k, outer(taps, taps), 65536);
    }
    if (name == "sharpen") return Filter(name, k, {0, -1, 0, -1, 5, -1, 0, -1, 0}, 1);
    if (name == "edge") return Filter(name, k, square(k, -1, k * k - 1), 1);
    if (name == "laplacian") return Filter(name, k, {0, 1, 0, 1, -4, 1, 0, 1, 0}, 1);
    if (name == "emboss") return Filter(name, k, {-2, -1, 0, -1, 1, 1, 0, 1, 2}, 1);
    if (name == "sobel_x") return Filter(name, k, {-1, 0, 1, -2, 0, 2, -1, 0, 1}, 1);
    if (name == "sobel_y") return Filter(name, k, {-1, -2, -1, 0, 0, 0, 1, 2, 1}, 1);
    return Filter(name, k, unsharp_taps(), 256);
}

}  // namespace

Filter::Filter(std::string name, int ksize, Taps taps, std::int32_t divisor)
    : name_(std::move(name)), ksize_(ksize), taps_(std::move(taps)), divisor_(divisor) {
    const std::string who = "Filter '" + name_ + "' of side " + std::to_string(ksize) + " ";
    if (ksize < 1 || ksize > 255 || ksize % 2 == 0)
        throw UsageError(who + "cannot be made: the side must be odd, from 1 to 255.");
    if (taps_.size() != static_cast<std::size_t>(ksize) * ksize)
        throw UsageError(who + "needs " + std::to_string(ksize * ksize) + " taps and has " +
                         std::to_string(taps_.size()) + ".");
    std::int64_t sum = 0;
    for (const auto tap : taps_) sum += std::abs(static_cast<std::int64_t>(tap));
    if (sum > kMaximum)
        throw UsageError(who + "has taps that add up to " + std::to_string(sum) +
                         " in absolute value; 65536 is the maximum that stays exact.");
    if (divisor < 1 || divisor > kMaximum)
        throw UsageError(who + "is divided by " + std::to_string(divisor) +
                         "; the divisor must be from 1 to 65536.");
}

std::optional<Filter::OuterProduct> Filter::outer_product() const {
    int pivot = -1;  // the first row that is not all zero
    for (int j = 0; j < ksize_ && pivot < 0; ++j)
        for (int i = 0; i < ksize_; ++i)
            if (tap(i, j) != 0) pivot = j;
    OuterProduct product{Taps(ksize_), Taps(ksize_)};
    if (pivot < 0) return product;
    std::int32_t divisor = 0;
    int first = -1;
    for (int i = 0; i < ksize_; ++i) {
        divisor = std::gcd(divisor, tap(i, pivot));
        if (first < 0 && tap(i, pivot) != 0) first = i;
    }
    // The row without its common factor; if an integer column exists for any row, it does for this.
    for (int i = 0; i < ksize_; ++i) product.row[i] = tap(i, pivot) / divisor;
    for (int j = 0; j < ksize_; ++j) product.column[j] = tap(first, j) / product.row[first];
    for (int j = 0; j < ksize_; ++j)
        for (int i = 0; i < ksize_; ++i)
            if (product.column[j] * product.row[i] != tap(i, j)) return {};
    // Two passes keep the row sums between them: give the row its share of a common factor, so that
    // those of the Gaussian both have the sum 256.
    const std::int32_t common = std::accumulate(product.column.begin(), product.column.end(), 0,
                                                [](int a, int b) { return std::gcd(a, b); });
    const auto root = static_cast<std::int32_t>(std::lround(std::sqrt(std::abs(common))));
    if (root > 1 && root * root == common) {
        for (auto& tap : product.column) tap /= root;
        for (auto& tap : product.row) tap *= root;
    }
    return product;
}

bool Filter::can_renormalise() const {
    std::vector<std::int64_t> prefix(static_cast<std::size_t>(ksize_ + 1) * (ksize_ + 1));
    const auto at = [&](int i, int j) -> std::int64_t& { return prefix[j * (ksize_ + 1) + i]; };
    for (int j = 0; j < ksize_; ++j)
        for (int i = 0; i < ksize_; ++i)
            at(i + 1, j + 1) = at(i, j + 1) + at(i + 1, j) - at(i, j) + tap(i, j);
    if (at(ksize_, ksize_) != divisor_) return false;
    const int p = radius();
    for (int j0 = 0; j0 <= p; ++j0)  // every part that contains the centre
        for (int j1 = p + 1; j1 <= ksize_; ++j1)
            for (int i0 = 0; i0 <= p; ++i0)
                for (int i1 = p + 1; i1 <= ksize_; ++i1)
                    if (at(i1, j1) - at(i0, j1) - at(i1, j0) + at(i0, j0) <= 0) return false;
    return true;
}

const std::vector<std::string>& filter_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& named : kNamed)
            if (named.is_convolution) all.emplace_back(named.name);
        return all;
    }();
    return names;
}

bool filter_has_sizes(std::string_view name) {
    for (const auto& named : kNamed)
        if (name == named.name) return named.any_size;
    return false;
}

Filter make_filter(const std::string& name_or_taps, std::optional<int> ksize,
                   std::optional<double> sigma) {
    std::string text = name_or_taps;  // a filter may be typed in several lines
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c); }, ' ');
    if (sigma && text != "gaussian")
        throw UsageError("Option --sigma goes with --filter gaussian, not with '" + text + "'.");
    if (text.find_first_of(":[({") != std::string::npos || text.find_first_of("-0123456789") == 0) {
        Filter typed = TypedFilter(text).parse();
        if (ksize && *ksize != typed.ksize())
            throw UsageError("Option --ksize " + std::to_string(*ksize) +
                             " contradicts the filter '" + text + "'; leave it out.");
        return typed;
    }
    for (const auto& named : kNamed) {
        if (text != named.name) continue;
        const int k = ksize.value_or(named.ksize);
        if (k < 1 || k > 255 || k % 2 == 0)
            throw UsageError("Option --ksize " + std::to_string(k) +
                             " is not possible: the side of a filter is odd, from 1 to 255.");
        if (!named.any_size && k != named.ksize)
            throw UsageError("Filter '" + text + "' is " + std::to_string(named.ksize) + "x" +
                             std::to_string(named.ksize) + " only; leave out --ksize " +
                             std::to_string(k) + ".");
        return named_filter(text, k, sigma);
    }
    std::string known;
    for (const auto& name : filter_names()) known += (known.empty() ? "" : ", ") + name;
    throw UsageError("Filter '" + text + "' is not known; " +
                     did_you_mean(text, filter_names(),
                                  "choose one of " + known + ", or type one as " + kExample + "."));
}

std::vector<std::int32_t> gaussian_taps(int ksize, std::optional<double> sigma) {
    if (ksize < 1 || ksize > 31 || ksize % 2 == 0)
        throw UsageError("A Gaussian of side " + std::to_string(ksize) +
                         " is not possible: its side is odd, from 1 to 31.");
    if (sigma && !(*sigma > 0 && std::isfinite(*sigma)))
        throw UsageError("Option --sigma must be a positive number.");
    if (!sigma) {
        switch (ksize) {
            case 1:
                return {256};
            case 3:
                return {64, 128, 64};
            case 5:
                return {16, 64, 96, 64, 16};
            case 7:
                return {8, 28, 56, 72, 56, 28, 8};
            case 9:
                return {4, 13, 30, 51, 60, 51, 30, 13, 4};
            default:
                sigma = 0.3 * ((ksize - 1) * 0.5 - 1) + 0.8;
        }
    }
    const int p = ksize / 2;
    std::vector<double> g(ksize);
    double sum = 0;
    for (int i = 0; i < ksize; ++i) {
        const double d = i - p;
        g[i] = std::exp(-d * d / (2 * *sigma * *sigma));
        sum += g[i];
    }
    std::vector<std::int32_t> taps(ksize);
    double carry = 0;
    std::int32_t left = 256;
    for (int i = 0; i < p; ++i) {
        const double v = 256 * (g[i] / sum) + carry;
        taps[i] = taps[ksize - 1 - i] =
            static_cast<std::int32_t>(std::nearbyint(v));  // half to even
        carry = v - taps[i];
        left -= 2 * taps[i];
    }
    taps[p] = left;
    return taps;
}

}  // namespace convolab
