// SPDX-License-Identifier: MIT
#include "screen.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace cuda_on_cpu::judge {
namespace {

// The line of a place, or nothing if there is no such file.
std::string line_at(const std::string& place) {
    const auto colon = place.rfind(':');
    std::ifstream file(place.substr(0, colon));
    std::string line;
    for (long number = std::atol(place.c_str() + colon + 1); number > 0; --number)
        if (!std::getline(file, line)) return {};
    return line;
}

// The lines of at most three places. Of the launch the text says enough.
std::string source(const Finding& finding) {
    std::vector<std::string> places = finding.places;
    if (places.empty() && !finding.launch.empty()) places = {finding.launch};
    if (places.size() > 3) places.resize(3);
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    std::string text;
    for (const std::string& place : places) {
        const std::string line = line_at(place);
        char row[120];
        std::snprintf(row, sizeof row, "   %6s | %.88s\n",
                      place.substr(place.rfind(':') + 1).c_str(), line.c_str());
        if (!line.empty()) text += row;
    }
    return text;
}

// Names of CUDA's keep their first letter.
std::string capitalised(std::string text) {
    if (!text.starts_with("cuda") && !text.starts_with("dim3"))
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

}  // namespace

std::string wrapped(const std::string& head, const std::string& text) {
    constexpr std::size_t columns = 100;
    std::string lines, line = head;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (line.size() > head.size() && line.size() + 1 + word.size() > columns) {
            lines += line + '\n';
            line.assign(head.size(), ' ');
        }
        if (line.size() > head.size()) line += ' ';
        line += word;
    }
    return lines + line + '\n';
}

std::string prose(const std::string& head, const Finding& finding) {
    std::string text = wrapped(head, capitalised(finding.text)) + source(finding);
    if (!finding.causes.empty()) text += "   Usual causes:\n";
    for (const std::string& cause : finding.causes) text += wrapped("   - ", cause);
    if (!finding.remedy.empty()) text += wrapped("   Remedy: ", finding.remedy);
    return text;
}

}  // namespace cuda_on_cpu::judge
