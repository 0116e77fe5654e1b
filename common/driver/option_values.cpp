// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>

#include "common/base/did_you_mean.hpp"
#include "common/base/error.hpp"
#include "common/driver/options.hpp"

namespace convolab {
namespace {

/// Adds a value that is not there yet: one named twice would give two rows of one configuration.
template <class T>
void add_once(std::vector<T>& values, const T& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

/// That of `values` whose name is `text`. takes: "--option takes its names".
template <class T>
T named(const std::string& text, const std::string& takes, std::initializer_list<T> values) {
    using std::to_string;
    for (const T value : values)
        if (text == to_string(value)) return value;
    throw UsageError("Option " + takes + ", not '" + text + "'.");
}

}  // namespace

int whole_number(std::string_view text, const std::string& option, int least, int greatest) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least ||
        value > greatest)
        throw UsageError("Option " + option + " takes whole numbers from " + std::to_string(least) +
                         " to " + std::to_string(greatest) + ", not '" + std::string(text) + "'.");
    return value;
}

double decimal_number(const std::string& text, const std::string& option) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        throw UsageError("Option " + option + " takes a number such as 1.5, not '" + text + "'.");
    return value;
}

std::vector<int> number_list(const std::vector<std::string>& items, const std::string& option,
                             bool takes_lists) {
    const auto number = [&](std::string_view text) { return whole_number(text, option, 1, 65536); };
    std::vector<int> numbers;
    for (const std::string_view item : items) {
        const auto dash = item.find('-', 1);  // one in front is a sign
        const auto colon = item.find(':');
        if (dash == std::string_view::npos) {
            add_once(numbers, number(item));
            continue;
        }
        const int first = number(item.substr(0, dash));
        const int last = number(item.substr(dash + 1, colon - dash - 1));
        const int step = colon == std::string_view::npos ? 1 : number(item.substr(colon + 1));
        if (last < first)
            throw UsageError("Option " + option + ": the range '" + std::string(item) +
                             "' ends before it begins.");
        for (int n = first; n <= last; n += step) add_once(numbers, n);
    }
    if (numbers.size() > 1 && !takes_lists)
        throw UsageError("Option " + option + ": this command takes one value, not '" +
                         items.front() + "' and more; bench takes lists.");
    return numbers;
}

std::vector<Size> size_list(const std::vector<std::string>& texts) {
    std::vector<Size> sizes;
    const auto add = [&](const Size& size) {
        const auto is_size = [&](const Size& one) {
            return one.width == size.width && one.height == size.height;
        };
        if (std::none_of(sizes.begin(), sizes.end(), is_size)) sizes.push_back(size);
    };
    for (const auto& text : texts)
        if (text == "all" || text == "ALL")  // a size, too, may be in capitals
            std::for_each(standard_sizes().begin(), standard_sizes().end(), add);
        else
            add(parse_size(text));
    return sizes;
}

std::vector<const Variant*> choose_variants(const std::vector<std::string>& names, const Lab& lab) {
    std::vector<const Variant*> chosen;
    for (const auto& name : names) {
        const auto found = std::find_if(lab.variants.begin(), lab.variants.end(),
                                        [&](const Variant* v) { return v->name == name; });
        if (found == lab.variants.end()) {
            std::string known;
            std::vector<std::string> all;
            for (const auto* v : lab.variants) {
                known += (known.empty() ? "" : ", ") + v->name;
                all.push_back(v->name);
            }
            throw UsageError("Option --variant: lab " + lab.name + " has no '" + name + "'; " +
                             did_you_mean(name, all, "choose from " + known + "."));
        }
        add_once(chosen, *found);
    }
    return chosen;
}

PixelType pixel_type(const std::string& text) {
    return named(text, "--type takes uint8, int32 or float32",
                 {PixelType::uint8, PixelType::int32, PixelType::float32});
}

Layout layout(const std::string& text) {
    return named(text, "--layout takes interleaved or planar",
                 {Layout::interleaved, Layout::planar});
}

int channels(const std::string& text) {
    return named(text, "--channels takes 1, 3 or 4", {1, 3, 4});
}

}  // namespace convolab
