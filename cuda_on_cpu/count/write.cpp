// SPDX-License-Identifier: MIT
#include "count/write.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "device/base/source_line.hpp"

namespace cuda_on_cpu::count {
namespace {

std::string format(const char* pattern, ...) {
    char text[400];
    va_list values;
    va_start(values, pattern);
    std::vsnprintf(text, sizeof text, pattern, values);
    va_end(values);
    return text;
}

const char* const use_names[uses] = {"global load",  "global store",  "shared load",
                                     "shared store", "constant load", "global atomic",
                                     "shared atomic"};

std::string table(const Kernel& kernel, const std::vector<Line>& lines) {
    std::string text =
        format("\nkernel %s, launched at %s: %s, %llu launch%s\n", kernel.name.c_str(),
               kernel.launch.c_str(), kernel.shape.c_str(),
               static_cast<unsigned long long>(kernel.launches), kernel.launches == 1 ? "" : "es");
    text += format("  %-28s %-14s %13s %8s  %-8s %s\n", "line", "", "requests", "lanes", "",
                   "per request");
    for (const Line& line : lines) {
        const std::size_t slash = line.file.rfind('/') + 1;  // npos + 1 is 0
        const std::string at = line.file.substr(slash) + ":" + std::to_string(line.number);
        for (int use = 0; use < uses; ++use) {
            const Totals& t = line.counts.of[use];
            if (t.requests == 0) continue;
            text += format("  %-28s %-14s %13llu %8.2f  %-8s %s\n", at.c_str(), use_names[use],
                           static_cast<unsigned long long>(t.requests),
                           static_cast<double>(t.lanes) / static_cast<double>(t.requests),
                           t.is_uniform ? "exact" : "model",
                           in_words(static_cast<Use>(use), t).c_str());
        }
    }
    for (const Figure& figure : figures(kernel))
        if (figure.value != 0)
            text += format(
                "  %-43s %13.*f           %s\n", figure.name,
                figure.value == static_cast<double>(static_cast<long long>(figure.value)) ? 0 : 2,
                figure.value, figure.is_exact ? "exact" : "model");
    return text;
}

// A kernel's own rows have no line.
void add_rows(std::string& csv, const std::string& kernel, const std::string& line,
              const std::vector<Figure>& figures) {
    for (const Figure& figure : figures)
        if (line.empty() || figure.value != 0)
            csv += format("%s,%s,%s,%.15g,%s\n", kernel.c_str(), line.c_str(), figure.name,
                          figure.value, figure.is_exact ? "exact" : "model");
}

const char* setting(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr || *value == '\0' ? nullptr : value;
}

}  // namespace

const char* use_name(Use use) { return use_names[static_cast<int>(use)]; }

std::string in_words(Use use, const Totals& t) {
    if (t.requests == 0) return "";
    const double requests = static_cast<double>(t.requests);
    const double units = static_cast<double>(t.units) / requests;
    if (use == Use::constant_load) return format("%.2f words", units);
    if (use == Use::global_load || use == Use::global_store) return format("%.2f sectors", units);
    if (use == Use::global_atomic || use == Use::shared_atomic)
        return format("%llu atomics", static_cast<unsigned long long>(t.lanes));
    const double conflicts = static_cast<double>(t.units - t.ideal) / requests;
    return format("%.2f bank conflicts%s", conflicts, t.is_wide ? " (model)" : "");
}

bool is_empty(const Kernel& kernel) {
    const Counts counts = kernel.counts();
    return kernel.barriers == 0 && std::all_of(std::begin(counts.of), std::end(counts.of),
                                               [](const Totals& t) { return t.requests == 0; });
}

void write_file(const std::string& path, const std::string& text) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (file != nullptr && std::fputs(text.c_str(), file) >= 0 && std::fclose(file) == 0) return;
    std::fprintf(stderr, "CUDA on the CPU: cannot write %s; name a file in a folder of yours.\n",
                 path.c_str());
    _exit(1);
}

std::vector<Line> lines_of(const Kernel& kernel) {
    std::map<std::pair<std::string, int>, Line> lines;
    std::vector<const void*> code;
    for (const auto& [address, site] : kernel.sites)
        code.push_back(static_cast<const char*>(address) - 1);  // it is behind the instruction
    const std::vector<std::string> places = outer_lines(code);
    std::size_t i = 0;
    for (const auto& [address, site] : kernel.sites) {
        const std::string& place = places[i++];
        if (site.samples.empty()) continue;  // it asks nothing of a GPU's memory
        const std::size_t colon = place.rfind(':');
        const std::string file = place.substr(0, colon);
        const int number = colon == std::string::npos ? 0 : std::atoi(place.c_str() + colon + 1);
        Line& line = lines[{file, number}];
        line.file = file;
        line.number = number;
        line.counts.add(site.counts);
        for (const auto& [use, sample] : site.samples) {
            Sample& kept = line.samples[use];  // of the dearest instruction
            if (kept.distance > sample.distance) kept = sample;
        }
    }
    std::vector<Line> result;
    for (auto& [place, line] : lines) result.push_back(std::move(line));
    return result;
}

void write(const std::deque<Kernel>& kernels) {
    std::string csv = "kernel,line,figure,value,how\n";
    bool any = false;
    for (const Kernel& kernel : kernels) {
        if (is_empty(kernel)) continue;
        any = true;
        const std::vector<Line> lines = lines_of(kernel);
        std::fputs(table(kernel, lines).c_str(), stdout);
        add_rows(csv, kernel.name, "", figures(kernel));
        for (const Line& line : lines)
            add_rows(csv, kernel.name, line.file + ":" + std::to_string(line.number),
                     figures(line.counts));
    }
    std::printf("\n%s", any ? legend : "No kernel that touches memory has run.\n");
    std::fflush(stdout);
    if (const char* path = setting("CUDA_ON_CPU_COUNT_CSV")) write_file(path, csv);
    if (const char* path = setting("CUDA_ON_CPU_COUNT_PICTURE")) write_picture(path, kernels);
}

}  // namespace cuda_on_cpu::count
