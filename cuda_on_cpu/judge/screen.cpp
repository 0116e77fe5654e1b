// SPDX-License-Identifier: MIT
#include "screen.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "advice.hpp"

namespace cuda_on_cpu::judge {
namespace {

// The line of a place, or nothing if there is no such file.
std::string line_at(const std::string& place) {
    const auto colon = place.rfind(':');
    std::ifstream file(place.substr(0, colon));
    std::string line;
    for (long number = std::stol(place.substr(colon + 1)); number > 0; --number)
        if (!std::getline(file, line)) return {};
    return line;
}

void print_source(const std::vector<std::string>& places) {
    for (const std::string& place : places) {
        const std::string line = line_at(place);
        if (line.empty()) continue;
        std::printf("   %6s | %.88s\n", place.substr(place.rfind(':') + 1).c_str(), line.c_str());
    }
}

}  // namespace

std::vector<std::string> places_in(const std::string& sentence) {
    std::vector<std::string> places;
    std::istringstream words(sentence);
    for (std::string word; words >> word;) {
        while (!word.empty() && std::isdigit(static_cast<unsigned char>(word.back())) == 0)
            word.pop_back();
        const auto colon = word.rfind(':');
        if (colon == std::string::npos || colon == 0 ||
            word.find_first_not_of("0123456789", colon + 1) != std::string::npos ||
            word.find('.') > colon || std::find(places.begin(), places.end(), word) != places.end())
            continue;
        if (word.front() == '(') word.erase(0, 1);
        places.push_back(word);
    }
    return places;
}

void print_wrapped(const std::string& head, const std::string& text) {
    constexpr std::size_t columns = 100;
    std::string line = head;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (line.size() > head.size() && line.size() + 1 + word.size() > columns) {
            std::printf("%s\n", line.c_str());
            line.assign(head.size(), ' ');
        }
        if (line.size() > head.size()) line += ' ';
        line += word;
    }
    std::printf("%s\n", line.c_str());
}

namespace {

// "Causes: a | b" as a list.
void print_causes(const std::string& causes) {
    std::printf("   Usual causes:\n");
    for (std::size_t from = 0; from != std::string::npos;) {
        const auto end = causes.find(" | ", from);
        print_wrapped("   - ", causes.substr(from, end - from));
        from = end == std::string::npos ? end : end + 3;
    }
}

// Behind its head, what has happened, the lines of the program that this names, and why.
void print_with_lines(const std::string& head, const std::string& sentence) {
    static const std::string remedy = "Remedy: ", causes = "Causes: ";
    const auto at = std::min(sentence.find(remedy), sentence.find(causes));
    std::string what = sentence.substr(0, at);
    const bool is_name = what.rfind("cuda", 0) == 0 || what.rfind("dim3", 0) == 0;
    if (!is_name) what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
    std::printf("\n");
    print_wrapped(head, what);
    // Of the launch the sentence says enough.
    std::vector<std::string> places = places_in(what);
    const auto launched = what.find("launched at ");
    if (launched != std::string::npos && places.size() > 1)
        std::erase(places, places_in(what.substr(launched))[0]);
    if (places.size() > 3) places.resize(3);
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    print_source(places);
    if (at == std::string::npos) return;
    if (sentence.compare(at, causes.size(), causes) == 0)
        print_causes(sentence.substr(at + causes.size()));
    else
        print_wrapped("   Remedy: ", sentence.substr(at + remedy.size()));
}

}  // namespace

void print_note(const std::string& note, bool is_unused) {
    print_with_lines("Note: ", note);
    if (is_unused)
        print_wrapped(
            "   ", "It is no mistake, as the host does not use the bytes that were never written.");
}
void print_finding(std::size_t number, const std::string& sentence) {
    print_with_lines(std::to_string(number) + ". ", with_advice(sentence));
}

}  // namespace cuda_on_cpu::judge
