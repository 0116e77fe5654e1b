// SPDX-License-Identifier: MIT
// Filters by their names, and as a user types them.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/convolution/filter.hpp"

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
        if (error != std::errc{} || end != word.data() + word.size() || value < -65536 ||
            value > 65536)
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

}  // namespace convolab
