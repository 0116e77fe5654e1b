// SPDX-License-Identifier: MIT
#include "common/driver/repeat.hpp"

#include <cstdlib>
#include <optional>

#include "common/base/error.hpp"

namespace convolab {
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
