// SPDX-License-Identifier: MIT
#include "output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace cuda_on_cpu::judge {
namespace {

// A time, or what follows from one, differs in every run.
bool is_about_time(const std::string& line) {
    for (const char* const word :
         {"ms", "us", "sec", " s", "ime", "/s", "lop", "LOP", "peed", "Hz", "lock"})
        if (line.find(word) != std::string::npos) return true;
    return false;
}

// `rounding`: by so much two real numbers may differ that are no integers.
bool is_alike(const std::string& a, const std::string& b, double rounding) {
    if (a == b) return true;
    char *end_a = nullptr, *end_b = nullptr;
    const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
    if (end_a == a.c_str() || std::string(end_a) != end_b) return false;
    const bool are_integers = (a + b).find_first_of(".eE") == std::string::npos;
    return std::fabs(x - y) <=
           std::fmax(1e-3 * std::fmax(std::fabs(x), std::fabs(y)), are_integers ? 0 : rounding);
}

bool are_lines_alike(const std::string& a, const std::string& b, double rounding) {
    std::istringstream words_a(a), words_b(b);
    for (std::string x, y;;) {
        const bool more_a = static_cast<bool>(words_a >> x);
        const bool more_b = static_cast<bool>(words_b >> y);
        if (!more_a || !more_b) return more_a == more_b;
        if (!is_alike(x, y, rounding)) return false;
    }
}

}  // namespace

bool is_different(const Ending& first, const Ending& second) {
    return first.exit_code != second.exit_code ||
           !first_difference(first.output, second.output, 0).empty();
}

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream lines(text);
    std::vector<std::string> result;
    for (std::string line; std::getline(lines, line);) result.push_back(line);
    return result;
}

std::vector<std::string> sorted_words(const std::string& text) {
    std::istringstream words(text);
    std::vector<std::string> result;
    for (std::string word; words >> word;) result.push_back(word);
    std::sort(result.begin(), result.end());
    return result;
}

std::string first_difference(const std::vector<std::string>& first,
                             const std::vector<std::string>& second, double rounding) {
    if (first.size() != second.size())
        return "it prints " + std::to_string(second.size()) + " lines, not " +
               std::to_string(first.size());
    for (std::size_t i = 0; i < first.size(); ++i)
        if (!are_lines_alike(first[i], second[i], rounding) &&
            !(is_about_time(first[i]) && is_about_time(second[i])))
            return "it prints \"" + second[i].substr(0, 60) + "\", not \"" +
                   first[i].substr(0, 60) + "\"";
    return {};
}

}  // namespace

std::string first_difference(const std::string& first, const std::string& second, double rounding) {
    std::vector<std::string> a = lines_of(first), b = lines_of(second);
    std::string difference = first_difference(a, b, rounding);
    if (difference.empty()) return {};
    std::sort(a.begin(), a.end());  // the lines of a kernel's threads come in any order
    std::sort(b.begin(), b.end());
    if (first_difference(a, b, rounding).empty()) return {};
    return sorted_words(first) == sorted_words(second) ? "" : difference;  // so do the words
}

}  // namespace cuda_on_cpu::judge
