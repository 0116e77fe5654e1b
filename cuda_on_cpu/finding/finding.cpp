// SPDX-License-Identifier: MIT
#include "finding/finding.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace cuda_on_cpu {
namespace {

struct Advice {
    const char* remedy = "";
    const char* causes[3] = {};
};
template <class... Text>
constexpr Advice causes(Text... text) {
    return {"", {text...}};
}
constexpr Advice remedy(const char* text) { return {text, {}}; }

constexpr struct {
    const char* name;
    Advice advice;
} kinds[] = {
#define KIND(name, ...) {#name, {__VA_ARGS__}},
#include "finding/kinds.inc"
#undef KIND
};
constexpr const char* weights[] = {"note", "limit", "mistake", "fatal"};
constexpr char separator = '\x1f';

void add(std::vector<std::string>& places, const std::string& place) {
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

// A field has no tab, and no end of line.
std::string field(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return text;
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : "\x1f") + text;
    return all;
}

std::vector<std::string> split(const std::string& text, char at) {
    std::istringstream stream(text);
    std::vector<std::string> parts;
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

}  // namespace

const char* name_of(Kind kind) { return kinds[static_cast<int>(kind)].name; }

Finding at(const std::string& place) {
    Finding words(place);
    if (place.find(':') != std::string::npos) words.places = {place};
    return words;
}

Finding& Finding::operator+=(const Finding& part) {
    text += part.text;
    for (const std::string& place : part.places) add(places, place);
    if (launch.empty())
        launch = part.launch;
    else if (!part.launch.empty())
        add(places, part.launch);
    if (kind == Kind::none) kind = part.kind;
    if (remedy.empty() && causes.empty()) {
        remedy = part.remedy;
        causes = part.causes;
    }
    return *this;
}

std::string Finding::line() const {
    std::string all = weights[static_cast<int>(weight)];
    for (const std::string& part :
         {std::string(name_of(kind)), text, joined(places), launch, joined(causes), remedy})
        all += '\t' + field(part);
    return all + '\n';
}

std::optional<Finding> Finding::of(const std::string& line) {
    std::vector<std::string> fields = split(line, '\t');
    const auto weight = fields.empty()
                            ? std::end(weights)
                            : std::find(std::begin(weights), std::end(weights), fields[0]);
    if (weight == std::end(weights) || fields.size() < 3) return {};
    fields.resize(7);
    Finding finding(fields[2]);
    finding.weight = static_cast<Weight>(weight - std::begin(weights));
    const auto kind = std::find_if(std::begin(kinds), std::end(kinds),
                                   [&](const auto& known) { return known.name == fields[1]; });
    if (kind != std::end(kinds)) finding.kind = static_cast<Kind>(kind - std::begin(kinds));
    finding.places = split(fields[3], separator);
    finding.launch = fields[4];
    finding.causes = split(fields[5], separator);
    finding.remedy = fields[6];
    finding.take_advice();
    return finding;
}

void Finding::take_advice() {
    if (!remedy.empty() || !causes.empty()) return;
    const Advice& advice = kinds[static_cast<int>(kind)].advice;
    remedy = advice.remedy;
    for (const char* const cause : advice.causes)
        if (cause != nullptr) causes.emplace_back(cause);
}

}  // namespace cuda_on_cpu
