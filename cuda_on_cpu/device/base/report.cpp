// SPDX-License-Identifier: MIT
#include "device/base/report.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace cuda_on_cpu {
namespace {

Finding& reported() {
    static Finding& last = *new Finding;  // outlives the program's own static objects
    return last;
}

unsigned long count = 0;
constexpr const char* mark = "CUDA on the CPU: ";

// Where the records go, or -1 if nobody asks for them.
int descriptor() {
    static const int file = [] {
        const char* const name = std::getenv("CUDA_ON_CPU_FINDINGS");
        return name == nullptr ? -1 : open(name, O_WRONLY | O_APPEND | O_CLOEXEC);
    }();
    return file;
}

void write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

unsigned long reports() { return count; }

void report(Finding finding) {
    if (finding.text == reported().text) return;  // a wrong launch in a loop is reported only once
    const bool is_note = finding.weight == Weight::note;
    if (!is_note) ++count;
    if (is_checked()) write_record(finding.line());
    finding.take_advice();
    reported() = std::move(finding);
    if (!is_checked()) write_all(2, mark + ((is_note ? "note: " : "") + last_report() + '\n'));
}

void report(Weight weight, Finding finding) {
    finding.weight = weight;
    report(std::move(finding));
}

void report_wrong_pointer() {
    constexpr std::string_view words =
        "the host's code uses a wrong pointer or index. Compile with -Xcompiler -fsanitize=address "
        "to find out where it begins.";
    const int file = is_checked() ? descriptor() : 2;
    for (const auto part : {std::string_view(file == 2 ? mark : "fatal\thost_pointer\t"), words,
                            std::string_view("\n")})
        write_all(file, part);
}

bool is_checked() { return descriptor() >= 0; }
void write_record(const std::string& line) { write_all(descriptor(), line); }
const Finding& last_finding() { return reported(); }
std::string last_report() {
    const std::string& remedy = reported().remedy;
    return reported().text + (remedy.empty() ? "" : " Remedy: " + remedy);
}
void clear_report() { reported() = {}; }

Finding name_of(const LaunchPlace& place) {
    if (place.kernel == nullptr) return "a kernel";
    Finding name("kernel " + std::string(place.kernel) + ", launched at ");
    name.launch = place.file + (":" + std::to_string(place.line));
    name.text += name.launch;
    return name;
}

std::string name_of(const Address& address) {
    return address.name != nullptr ? address.name : "argument " + std::to_string(address.argument);
}

std::string text_of(uint3 v) {
    char text[40];
    std::snprintf(text, sizeof text, "(%u,%u,%u)", v.x, v.y, v.z);
    return text;
}

}  // namespace cuda_on_cpu
