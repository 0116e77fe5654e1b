// SPDX-License-Identifier: MIT
#include "common/driver/commands.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>

#include "common/base/error.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

/// A second one ends the program at once.
extern "C" void remember_signal(int signal) {
    caught_signal = signal;
    std::signal(signal, SIG_DFL);
}

}  // namespace

bool interrupted() { return caught_signal != 0; }
int interrupted_exit_code() { return 128 + caught_signal; }

void catch_interrupts() {
    std::signal(SIGINT, remember_signal);
    std::signal(SIGTERM, remember_signal);
}

Row origin_row(const Lab& lab, const Variant& variant) {
    const Backend& backend = lab.backend_of(variant);
    const BuildInfo& build = build_info();
    return {{"lab", lab.name},
            {"variant", variant.name},
            {"backend", backend.name()},
            {"machine", machine_name()},
            {"device", backend.device()},
            {"gpus", backend.gpus() > 0 ? std::to_string(backend.gpus()) : ""},
            {"driver", backend.driver()},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"build", build.build},
            {"revision", build.revision},
            {"date", utc_now()}};
}

namespace {

std::string mib(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

MemoryNeed memory_need(const Variant& variant, const Job& job) {
    if (variant.memory) return variant.memory(job);
    const auto output = job.out_width() * job.out_height() * job.image().channels() *
                        static_cast<std::int64_t>(bytes_per_sample(job.image().type()));
    return {static_cast<std::int64_t>(job.image().bytes()) + output, 0};
}

void require_memory(const Lab& lab, const Variant& variant, const Job& job) {
    const MemoryNeed need = memory_need(variant, job);
    if (need.host > memory_free())
        throw Skipped("Variant " + variant.name + " needs " + mib(need.host) + " of memory and " +
                      mib(memory_free()) + " are free.");
    const auto device = lab.backend_of(variant).device_memory_free();
    if (device && need.device > *device)
        throw Skipped("Variant " + variant.name + " needs " + mib(need.device) +
                      " of device memory and " + mib(*device) + " are free.");
}

void require_picture_memory(const Size& size, int channels, PixelType type, int frames) {
    const double pixels = static_cast<double>(size.width) * static_cast<double>(size.height);
    const double sample = static_cast<double>(bytes_per_sample(type));
    const double need = pixels * (3 + channels * sample * (frames + 1));  // 3: the drawn scene
    if (need > static_cast<double>(memory_free()))
        throw Skipped("A picture of " + size.name + " and its reference need " +
                      std::to_string(static_cast<std::int64_t>(need / (1 << 20))) +
                      " MiB of memory and " + mib(memory_free()) + " are free.");
}

namespace {

std::string for_the_shell(const std::string& text) {
    const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,=+-";
    if (text.find_first_not_of(plain) == std::string::npos) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + '\'';
}

std::string call_of(const std::string& program) {
    std::string settings;
    for (const std::string name : {"CUDA_ON_CPU_ORDER", "CUDA_ON_CPU_DEVICES", "CONVOLAB_ISA"})
        if (const char* value = std::getenv(name.c_str()))
            settings += name + '=' + for_the_shell(value) + ' ';
    return settings + for_the_shell(program);
}

bool same(const Filter& a, const Filter& b) {
    return a.ksize() == b.ksize() && a.divisor() == b.divisor() && a.taps() == b.taps();
}

/// By its name where that gives these taps, else with every tap.
std::string filter_options(const Filter& filter) {
    const std::string side = std::to_string(filter.ksize());
    const bool sized = filter_has_sizes(filter.name());
    try {
        const auto k = sized ? std::optional<int>{filter.ksize()} : std::nullopt;
        if (same(make_filter(filter.name(), k), filter))
            return " --filter " + filter.name() + (sized ? " --ksize " + side : "");
    } catch (const UsageError&) {  // not a name
    }
    std::string taps = side + 'x' + side + ':';
    for (const auto tap : filter.taps()) taps += ' ' + std::to_string(tap);
    return " --filter " + for_the_shell(taps + " / " + std::to_string(filter.divisor()));
}

}  // namespace

Expected::Expected(const Operation& operation, const Job& job) {
    try {
        image = operation.reference(job);
        allowed = operation.allowed_difference(job);
    } catch (const Unsupported&) {
    }
}

Comparison compare(const Image& result, const Expected& expected) {
    if (!expected.image) throw Error("It accepts a job that the reference does not support.");
    return compare(result, *expected.image, expected.allowed);
}

std::string describe(const Operation& operation, const Variant& variant, const Job& job,
                     const std::string& picture) {
    const Image& image = job.image();
    const std::string side = std::to_string(job.filter.ksize());
    const std::string settings = describe(job.settings, variant.uses);
    std::string text;
    if (operation.has_filter) text = job.filter.name() + ' ' + side + 'x' + side + ", ";
    if (operation.has_filter && operation.has_border)
        text += "border " + to_string(job.border) + ", ";
    return text + picture + ", " + std::to_string(image.channels()) +
           (image.channels() == 1 ? " channel, " : " channels, ") + to_string(image.type()) + ", " +
           to_string(image.layout()) + (settings.empty() ? "" : ", ") + settings;
}

std::string how_it_ran(const Options& options) {
    return std::string(options.best_variant ? " (the lab's best; --variant names another)" : "") +
           (options.check ? ", identical to the reference" : "");
}

std::string repeat_command(const std::string& program, const Variant& variant, const Job& job,
                           const std::string& picture) {
    std::string text =
        call_of(program) + " run --variant " + variant.name + " --image " + for_the_shell(picture) +
        " --channels " + std::to_string(job.image().channels()) + " --type " +
        to_string(job.image().type()) + " --layout " + to_string(job.image().layout()) +
        filter_options(job.filter) + " --border " + to_string(job.border);
    for (const Setting& setting : kSettings) {
        const int value = job.settings.*setting.value;
        if ((variant.uses & setting.use) && value > 0)
            text += ' ' + option_name(setting) + ' ' + std::to_string(value);
    }
    return text + " --check";
}

std::string repeat_command(const Options& options, const Variant& variant) {
    std::string text = call_of(options.program) + " verify --variant " + variant.name;
    if (options.quick) text += " --quick";
    if (!options.image.empty()) text += " --image " + for_the_shell(options.image);
    for (const Size& size : options.sizes)
        if (options.only_sizes)
            text += (&size == &options.sizes.front() ? " --size " : ",") + size.name;
    return text;
}

}  // namespace convolab
