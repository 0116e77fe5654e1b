// SPDX-License-Identifier: MIT
#include "common/base/isa.hpp"

#include <cstdlib>
#include <optional>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {
namespace {

constexpr std::pair<const char*, Isa> kNames[] = {{"plain", Isa::plain},
                                                  {"avx2", Isa::avx2},
                                                  {"avx512", Isa::avx512},
                                                  {"avx512vnni", Isa::avx512vnni}};

struct OfThread {
    std::optional<Isa> given, chosen;
};
thread_local OfThread of_thread;

Isa best_isa() {
    Isa best = Isa::plain;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) best = Isa::avx2;
    if (best == Isa::avx2 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw"))
        best = Isa::avx512;
    if (best == Isa::avx512 && __builtin_cpu_supports("avx512vnni") &&
        __builtin_cpu_supports("avx512vbmi"))
        best = Isa::avx512vnni;
#endif
    return best;
}

/// nullptr: CONVOLAB_ISA is not set.
const char* wanted_isa() {
    const char* wanted = std::getenv("CONVOLAB_ISA");
    return wanted != nullptr && *wanted != '\0' ? wanted : nullptr;
}

Isa isa_of_environment() {
    const char* wanted = wanted_isa();
    if (wanted == nullptr) return best_isa();
    const std::string name = wanted;
    for (const auto& [known, isa] : kNames) {
        if (name != known) continue;
        if (isa > best_isa())
            throw Error("CONVOLAB_ISA is " + name +
                        ", which this machine does not have; unset it.");
        return isa;
    }
    throw Error("CONVOLAB_ISA is '" + name +
                "'; choose plain, avx2, avx512 or avx512vnni, or unset it.");
}

}  // namespace

Isa choose_isa() {
    of_thread.chosen = of_thread.given ? *of_thread.given : isa_of_environment();
    return *of_thread.chosen;
}

std::string to_string(Isa isa) { return kNames[static_cast<std::size_t>(isa)].first; }

IsaOfThread::IsaOfThread(Isa isa) { of_thread.given = isa; }
IsaOfThread::~IsaOfThread() { of_thread.given.reset(); }

std::vector<Isa> isas_not_chosen() {
    std::optional<Isa>& chosen = of_thread.chosen;
    std::vector<Isa> others;
    for (const auto& [name, isa] : kNames)
        if (chosen && wanted_isa() == nullptr && isa <= best_isa() && isa != chosen)
            others.push_back(isa);
    chosen.reset();
    return others;
}

}  // namespace convolab
