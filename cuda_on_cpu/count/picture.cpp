// SPDX-License-Identifier: MIT
// The page of a program: the source of each kernel with its counts as heat beside the lines; a line
// opens to pictures of its requests. Or one picture, of the line that costs most.
#include <algorithm>
#include <fstream>
#include <set>

#include "count/request_picture.hpp"
#include "count/write.hpp"

namespace cuda_on_cpu::count {
namespace {

// Lines before the first one that asks memory and behind the last: the kernel's head, its end.
constexpr int lines_before = 14, lines_behind = 3;

const char* const style = R"(
body { font-family: sans-serif; margin: 2em; }
.code > *, summary { font-family: monospace; white-space: pre; line-height: 1.35; }
summary { cursor: pointer; list-style: none; }
.code { overflow-x: auto; }
.heat { display: inline-block; width: 40ch; padding-right: 1ch; text-align: right; white-space: normal; vertical-align: top; }
svg { display: block; margin: 0.5em 0 1em; }
)";

std::vector<std::string> lines_of_file(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

// What heat means: sectors and wavefronts, each moves 32 words at most.
std::uint64_t heat(const Line& line) {
    std::uint64_t sum = 0;
    for (const Use use : {Use::global_load, Use::global_store, Use::shared_load, Use::shared_store})
        sum += line.counts[use].units;
    return sum;
}

std::string numbers(const Line& line) {
    std::string text;
    for (int use = 0; use < uses; ++use) {
        const Totals& totals = line.counts.of[use];
        const std::string words = in_words(static_cast<Use>(use), totals);
        if (words.empty()) continue;
        text += (text.empty() ? "" : "; ") + std::to_string(totals.requests) + " " +
                use_name(static_cast<Use>(use)) + (totals.requests == 1 ? ": " : "s: ") + words;
    }
    return text;
}

std::string cell(const std::string& text, double share) {
    const int light = 100 - static_cast<int>(45 * share);
    return "<span class=\"heat\" style=\"background:hsl(25 90% " + std::to_string(light) + "%)\">" +
           escaped(text) + "</span>";
}

std::string title_of(const Kernel& kernel, const Line& line, Use use) {
    const std::size_t slash = line.file.rfind('/') + 1;  // npos + 1 is 0
    return kernel.name + ", " + line.file.substr(slash) + ":" + std::to_string(line.number) +
           ": one " + use_name(use) + " (the average of all: " + in_words(use, line.counts[use]) +
           ")";
}

std::string row(const Kernel& kernel, const Line* line, int number, const std::string& source,
                double share) {
    char place[16];
    std::snprintf(place, sizeof place, "%5d  ", number);
    const std::string rest = place + escaped(source);
    if (line == nullptr) return "<div>" + cell("", 0) + rest + "</div>\n";
    std::string html = "<details><summary>" + cell(numbers(*line), share) + rest + "</summary>\n";
    for (const auto& [use, sample] : line->samples)
        if (use < Use::constant_load)
            html += request_picture(title_of(kernel, *line, use), use, sample.request);
    return html + "</details>\n";
}

std::string section(const Kernel& kernel, const std::vector<Line>& lines) {
    std::uint64_t most = 1;
    std::set<std::string> files;
    for (const Line& line : lines) {
        most = std::max(most, heat(line));
        if (!line.file.empty()) files.insert(line.file);
    }
    std::string html = "<h2>kernel " + escaped(kernel.name) + "</h2>\n<p>Launched at " +
                       escaped(kernel.launch) + ": " + kernel.shape + ".</p>\n";
    for (const std::string& file : files) {
        std::map<int, const Line*> of_number;
        for (const Line& line : lines)
            if (line.file == file) of_number[line.number] = &line;
        const std::vector<std::string> source = lines_of_file(file);
        html += "<h3>" + escaped(file) + "</h3>\n<div class=\"code\">\n";
        const int first = std::max(1, of_number.begin()->first - lines_before);
        const int last = of_number.rbegin()->first + lines_behind;
        for (int number = first; number <= last; ++number) {
            const bool is_there = static_cast<std::size_t>(number) <= source.size();
            const auto found = of_number.find(number);
            if (!is_there && found == of_number.end()) continue;
            const Line* const line = found == of_number.end() ? nullptr : found->second;
            html += row(
                kernel, line, number, is_there ? source[static_cast<std::size_t>(number) - 1] : "",
                line == nullptr ? 0 : static_cast<double>(heat(*line)) / static_cast<double>(most));
        }
        html += "</div>\n";
    }
    return html;
}

// The use, of any line, with the most sectors or wavefronts.
std::string dearest_request(const std::deque<Kernel>& kernels) {
    std::uint64_t most = 0;
    std::string svg;
    for (const Kernel& kernel : kernels)
        for (const Line& line : lines_of(kernel))
            for (const auto& [use, sample] : line.samples) {
                const bool counts = use < Use::constant_load;
                if (!counts || line.counts[use].units <= most) continue;
                most = line.counts[use].units;
                svg = request_picture(title_of(kernel, line, use), use, sample.request);
            }
    return svg;
}

}  // namespace

void write_picture(const std::string& path, const std::deque<Kernel>& kernels) {
    if (path.size() > 4 && path.compare(path.size() - 4, 4, ".svg") == 0)
        return write_file(path, dearest_request(kernels));
    std::string html =
        std::string("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n") +
        "<title>What the kernels ask of memory</title>\n<style>" + style +
        "</style>\n<h1>What the kernels ask of memory</h1>\n"
        "<p>Colour: sectors and wavefronts of all requests of the line, beside the line with "
        "most. Click a line: a request of a warp.</p>\n";
    html += "<p>" + escaped(legend) + "</p>\n";
    for (const Kernel& kernel : kernels)
        if (!is_empty(kernel)) html += section(kernel, lines_of(kernel));
    write_file(path, html + "</html>\n");
}

}  // namespace cuda_on_cpu::count
