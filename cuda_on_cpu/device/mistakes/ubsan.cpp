// SPDX-License-Identifier: MIT
// The functions that -fsanitize=bounds calls if an index is outside an array of known size (a tile
// in shared memory, a local array, taps in constant memory), and those whose result differs from a
// GPU's: of -fsanitize=shift-exponent for a shift by at least the type's width, and of
// -fsanitize=float-cast-overflow for a float that its new type cannot hold. The program needs no
// UBSan library for them. If it links UBSan, that library's functions may be used instead.
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "device/base/report.hpp"
#include "device/threads/block.hpp"
#include "overlooked.hpp"

namespace {

using cuda_on_cpu::at;
using cuda_on_cpu::Finding;
using cuda_on_cpu::Kind;

struct Place {
    const char* file;
    std::uint32_t line, column;
};
std::string text_of(const Place& place) { return place.file + (":" + std::to_string(place.line)); }
struct Type {
    std::uint16_t kind, info;  // integer: 2 * log2 of its bits, + 1 if signed; float: bits
    char name[1];              // the real length is unknown here
};
struct OutOfBounds {
    Place place;
    const Type* array;
    const Type* index;
};

struct Shift {
    Place place;
    const Type* value;
    const Type* distance;
};

struct Cast {
    Place place;
    const Type* from;
    const Type* to;
};

unsigned bits_of(const Type& type) { return 1U << (type.info >> 1U); }
bool is_signed(const Type& type) { return (type.info & 1U) != 0; }

std::string number_text(const Type& type, std::uintptr_t value) {
    if (bits_of(type) > 64) return "one of 128 bits";
    if (!is_signed(type)) return std::to_string(value);
    const unsigned unused = 64 - bits_of(type);
    return std::to_string(static_cast<std::int64_t>(std::uint64_t{value} << unused) >> unused);
}

// 'float[16]'; some compilers write 'float [16]'.
std::string name_of(const Type& type) {
    std::string name = type.name;
    if (const auto space = name.find(" ["); space != std::string::npos) name.erase(space, 1);
    return name;
}

// "s_tile" or "s_tile[threadIdx.y]", as the program's line contains it. Clang gives the column
// where the name begins, g++ the bracket after the index. Empty if the source file cannot be read.
std::string array_at(const Place& place) {
    std::ifstream file(place.file);
    std::string line;
    for (std::uint32_t i = 0; i < place.line; ++i)
        if (!std::getline(file, line)) return {};
    if (place.column == 0 || place.column > line.size()) return {};
    const auto is_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    const auto opening = [&line](std::size_t at) {  // position of the matching bracket
        for (int open = 0;; --at) {
            open += line[at] == ']' ? 1 : line[at] == '[' ? -1 : 0;
            if (open == 0 || at == 0) return at;
        }
    };
    std::size_t begin = place.column - 1, end = begin;
    if (line[begin] == ']') {
        begin = end = opening(begin);
        while (begin > 0 && line[begin - 1] == ']') begin = opening(begin - 1);
        while (begin > 0 && is_name(line[begin - 1])) --begin;
    } else {
        while (end < line.size() && is_name(line[end])) ++end;
        if (end == line.size() || line[end] != '[') return {};
    }
    return line.substr(begin, end - begin);
}

}  // namespace

extern "C" [[gnu::weak, noreturn]] void __ubsan_handle_out_of_bounds_abort(const OutOfBounds* where,
                                                                           std::uintptr_t index) {
    const auto text = [&] {
        const std::string name = array_at(where->place);
        return Finding(Kind::outside_array,
                       "uses element " + number_text(*where->index, index) + " of " +
                           (name.empty() ? "an array " + name_of(*where->array)
                                         : name + ", an array " + name_of(*where->array) + ",") +
                           " at " + at(text_of(where->place)));
    };
    if (cuda_on_cpu::running_block().is_in_kernel())
        cuda_on_cpu::running_block().stop(cudaErrorIllegalAddress, text);
    cuda_on_cpu::report(cuda_on_cpu::Weight::fatal, "the host " + text() + ".");
    std::abort();
}

void cuda_on_cpu::stop_outside(const char* array, long long index, std::size_t count,
                               const char* file, int line) {
    running_block().stop(cudaErrorIllegalAddress, [=] {
        return Finding(Kind::outside_array, "uses element " + std::to_string(index) + " of " +
                                                array + ", an array of " + std::to_string(count) +
                                                ", by an atomic function at " +
                                                at(file + (":" + std::to_string(line))));
    });
    std::abort();  // the host has called the kernel's function
}

// The kernel continues, because a GPU has a defined result and many programs do not use it.
extern "C" [[gnu::weak]] void __ubsan_handle_shift_out_of_bounds(const Shift* where, std::uintptr_t,
                                                                 std::uintptr_t distance) {
    if (!cuda_on_cpu::running_block().is_in_kernel()) return;
    const std::string place = text_of(where->place);
    cuda_on_cpu::report_once(
        place,
        {Kind::shift, "shifts a number of " + std::to_string(bits_of(*where->value)) + " bits by " +
                          number_text(*where->distance, distance) + " at " + at(place) +
                          ". C++ leaves the result undefined. A GPU gives 0, or -1 for a negative "
                          "number that is shifted right; here it is what the processor gives."});
}

namespace {

/// What a GPU makes of a float for an integer type (PTX ISA, "cvt"): the nearest number of 32 or 64
/// bits, of which a smaller type takes the low ones.
std::uint64_t converted_by_gpu(double value, bool is_double, const Type& to) {
    const unsigned bits = bits_of(to) > 32 ? 64 : 32;
    const double end = std::ldexp(1.0, static_cast<int>(is_signed(to) ? bits - 1 : bits));
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits + (is_signed(to) ? 1 : 0));
    std::uint64_t result = 0;
    if (std::isnan(value))
        result = is_double || bits == 64 ? std::uint64_t{1} << (bits - 1) : 0;
    else if (value >= end)
        result = most;
    else if (is_signed(to))
        result =
            value < -end ? most + 1 : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    else if (value > 0)
        result = static_cast<std::uint64_t>(value);
    return bits_of(to) < 64 ? result & ((std::uint64_t{1} << bits_of(to)) - 1) : result;
}

}  // namespace

extern "C" [[gnu::weak]] void __ubsan_handle_float_cast_overflow(const Cast* where,
                                                                 std::uintptr_t bits) {
    const bool is_double = where->from->info == 64;
    if (!cuda_on_cpu::running_block().is_in_kernel() || (where->from->info != 32 && !is_double))
        return;
    const double value = is_double ? std::bit_cast<double>(std::uint64_t{bits})
                                   : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    char number[32];
    std::snprintf(number, sizeof number, "%.9g", value);
    const std::string place = text_of(where->place);
    cuda_on_cpu::report_once(
        place, {Kind::conversion,
                std::string("converts ") + number + " to " + where->to->name + " at " + at(place) +
                    ", which cannot hold it. A GPU gives " +
                    number_text(*where->to, converted_by_gpu(value, is_double, *where->to)) +
                    ". C++ leaves it undefined, and other processors give another number."});
}
