// SPDX-License-Identifier: MIT
#include "common/convolution/border.hpp"

#include <charconv>
#include <utility>

#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace convolab {
namespace {

constexpr std::pair<BorderRule, const char*> kNames[] = {
    {BorderRule::constant, "constant"},
    {BorderRule::replicate, "replicate"},
    {BorderRule::reflect, "reflect"},
    {BorderRule::reflect101, "reflect101"},
    {BorderRule::wrap, "wrap"},
    {BorderRule::valid, "valid"},
    {BorderRule::renormalise, "renormalise"},
};

int parse_value(std::string_view text) {
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > 255)
        throw UsageError("Border 'constant:" + std::string(text) +
                         "' needs a value from 0 to 255, such as constant:128.");
    return value;
}

}  // namespace

Border parse_border(std::string_view text) {
    if (text.starts_with("constant:"))
        return {BorderRule::constant, parse_value(text.substr(sizeof("constant:") - 1))};
    for (const auto& [rule, name] : kNames)
        if (text == name) return {rule, 0};
    std::vector<std::string> names;
    for (const auto& [rule, name] : kNames) names.emplace_back(name);
    throw UsageError("Border '" + std::string(text) + "' is not known; " +
                     did_you_mean(std::string(text), names,
                                  "choose constant, constant:VALUE, replicate, reflect, "
                                  "reflect101, wrap, valid or renormalise."));
}

std::string to_string(const Border& border) {
    for (const auto& [rule, name] : kNames)
        if (border.rule == rule)
            return border.value == 0 ? name : name + (":" + std::to_string(border.value));
    return "?";
}

const std::vector<Border>& all_borders() {
    static const std::vector<Border> borders = [] {
        std::vector<Border> all;
        for (const auto& [rule, name] : kNames)
            all.push_back({rule, rule == BorderRule::constant ? 77 : 0});
        return all;
    }();
    return borders;
}

}  // namespace convolab
