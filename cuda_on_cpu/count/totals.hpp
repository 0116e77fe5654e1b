// SPDX-License-Identifier: MIT
// Sums over the requests of a kernel, or of one of its lines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "count/places.hpp"
#include "count/request.hpp"

namespace cuda_on_cpu::count {

enum class Use {
    global_load,  // of these four there are pictures
    global_store,
    shared_load,
    shared_store,
    constant_load,
    global_atomic,
    shared_atomic
};
constexpr int uses = 7;

struct Totals {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;      ///< active ones
    std::uint64_t bytes = 0;      ///< that the lanes ask for
    std::uint64_t units = 0;      ///< sectors, wavefronts or words
    std::uint64_t ideal = 0;      ///< wavefronts without bank conflicts
    std::uint64_t divergent = 0;  ///< requests of fewer lanes than the warp has threads
    bool is_uniform = true;       ///< see warp_accesses.hpp
    bool is_wide = false;         ///< some lane asks for more than 4 bytes

    void add(const Totals& other);
};

struct Counts {
    Totals of[uses];

    void add(const Counts& other);
    const Totals& operator[](Use use) const { return of[static_cast<int>(use)]; }
    Totals& operator[](Use use) { return of[static_cast<int>(use)]; }
    Totals sum(std::initializer_list<Use> some) const;
};

/// A request to show, of the block in the middle of the grid if that has one.
struct Sample {
    Request request{};
    std::uint64_t distance = ~std::uint64_t{0};  ///< of its block from the middle
};

/// An instruction of a kernel.
struct Site {
    Counts counts;
    std::map<Use, Sample> samples;
};

struct Kernel {
    std::string name;    ///< without template arguments
    std::string launch;  ///< "lab.cu:40", of its first one
    std::string shape;   ///< of that one: grid and block
    std::uint64_t launches = 0, blocks = 0, warps = 0, barriers = 0;
    std::map<const void*, Site> sites;  ///< by the instruction's code address

    Counts counts() const;
};

/// What a CSV file has as a row.
struct Figure {
    const char* name;
    double value;
    bool is_exact;
};
std::vector<Figure> figures(const Counts& counts);
/// Those, and what only a whole kernel has.
std::vector<Figure> figures(const Kernel& kernel);

}  // namespace cuda_on_cpu::count
