// SPDX-License-Identifier: MIT
#include "device/base/report.hpp"

#include <cstdio>
#include <cstdlib>

namespace cuda_on_cpu {
namespace {

std::string& reported() {
    static std::string& sentence = *new std::string;  // outlives the program's own static objects
    return sentence;
}

unsigned long count = 0;

}  // namespace

unsigned long reports() { return count; }

void report(const std::string& sentence) {
    if (sentence == reported()) return;  // a wrong launch in a loop is reported only once
    reported() = sentence;
    ++count;
    std::fprintf(stderr, "CUDA on the CPU: %s\n", sentence.c_str());
}
bool is_checked() {
    static const bool checked = std::getenv("CUDA_ON_CPU_RESULTS") != nullptr;
    return checked;
}
void note(const std::string& sentence) {
    if (is_checked()) std::fprintf(stderr, "CUDA on the CPU: note: %s\n", sentence.c_str());
}
const std::string& last_report() { return reported(); }
void clear_report() { reported().clear(); }

std::string name_of(const LaunchPlace& place) {
    if (place.kernel == nullptr) return "a kernel";
    return "kernel " + std::string(place.kernel) + ", launched at " + place.file + ":" +
           std::to_string(place.line);
}

std::string text_of(uint3 v) {
    char text[40];
    std::snprintf(text, sizeof text, "(%u,%u,%u)", v.x, v.y, v.z);
    return text;
}

}  // namespace cuda_on_cpu
