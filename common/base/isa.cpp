// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/base/isa.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include "common/base/error.hpp"

namespace convolab {

Isa choose_isa() {
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
    const char* wanted = std::getenv("CONVOLAB_ISA");
    if (wanted == nullptr || *wanted == '\0') return best;
    const std::string name = wanted;
    for (const auto& [known, isa] : {std::pair{"plain", Isa::plain},
                                     {"avx2", Isa::avx2},
                                     {"avx512", Isa::avx512},
                                     {"avx512vnni", Isa::avx512vnni}}) {
        if (name != known) continue;
        if (isa > best)
            throw Error("CONVOLAB_ISA is " + name +
                        ", which this machine does not have; unset it.");
        return isa;
    }
    throw Error("CONVOLAB_ISA is '" + name +
                "'; choose plain, avx2, avx512 or avx512vnni, or unset it.");
}

}  // namespace convolab
