// SPDX-License-Identifier: MIT
// A request: one load or store of a warp. Its 32 lanes ask at once; what that costs depends on
// where their addresses lie.
#pragma once

#include <cstdint>

namespace cuda_on_cpu::count {

struct Request {
    std::uint32_t lanes = 0;  ///< one bit for each lane that takes part
    std::uint32_t bytes = 0;  ///< of each lane
    std::uint64_t address[32];
};

unsigned active_lanes(const Request& request);

constexpr unsigned sector_bytes = 32;
/// Global memory: the distinct blocks of 32 bytes that the lanes touch.
unsigned sectors(const Request& request);

/// Constant memory: the distinct words of 4 bytes. All lanes get one word at once, another word
/// later.
unsigned words(const Request& request);

/// Shared memory has 32 banks; word i is in bank i % 32. A wavefront serves one word of each bank,
/// to all lanes that want it. Lanes that ask for 8 bytes are served by halves of the warp, for 16
/// bytes by quarters.
struct Wavefronts {
    unsigned count;
    unsigned ideal;  ///< without bank conflicts
};
Wavefronts wavefronts(const Request& request);

}  // namespace cuda_on_cpu::count
