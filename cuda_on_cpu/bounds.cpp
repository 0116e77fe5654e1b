// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What -fsanitize=bounds calls when the index of an array of known size is outside: a tile in
// shared memory, a local array, the taps in constant memory. The program needs no UBSan library for
// it; where that is linked, its functions may be used instead.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "block.hpp"
#include "report.hpp"

namespace {

struct Place {
    const char* file;
    std::uint32_t line, column;
};
struct Type {
    std::uint16_t kind, info;  // of an integer: 2 * log2 of its bits, + 1 where it has a sign
    char name[1];              // its end is not known here
};
struct OutOfBounds {
    Place place;
    const Type* array;
    const Type* index;
};

std::string index_text(const Type& type, std::uintptr_t value) {
    const unsigned bits = 1U << (type.info >> 1U);
    if (bits > 64) return "an element";
    if ((type.info & 1U) == 0) return "element " + std::to_string(value);
    const unsigned unused = 64 - bits;
    return "element " +
           std::to_string(static_cast<std::int64_t>(std::uint64_t{value} << unused) >> unused);
}

// 'float[16]', which some compilers write 'float [16]'.
std::string name_of(const Type& type) {
    std::string name = type.name;
    if (const auto space = name.find(" ["); space != std::string::npos) name.erase(space, 1);
    return name;
}

}  // namespace

extern "C" [[gnu::weak, noreturn]] void __ubsan_handle_out_of_bounds_abort(const OutOfBounds* where,
                                                                           std::uintptr_t index) {
    const auto text = [&] {
        return "uses " + index_text(*where->index, index) + " of an array " +
               name_of(*where->array) + " at " + where->place.file + ":" +
               std::to_string(where->place.line);
    };
    if (cuda_on_cpu::running_block().is_in_kernel())
        cuda_on_cpu::running_block().stop(cudaErrorIllegalAddress, text);
    cuda_on_cpu::report("the host " + text() + ".");
    std::abort();
}
