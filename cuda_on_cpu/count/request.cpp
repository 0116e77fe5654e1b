// SPDX-License-Identifier: MIT
#include "count/request.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace cuda_on_cpu::count {
namespace {

// The distinct blocks of `bytes` bytes that some lanes touch, in order.
std::vector<std::uint64_t>& blocks(const Request& request, std::uint32_t lanes, unsigned bytes) {
    static std::vector<std::uint64_t> found;  // kept: requests are many
    found.clear();
    bool in_order = true;
    for (; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t begin = request.address[std::countr_zero(lanes)];
        const std::uint64_t last = (begin + request.bytes - 1) / bytes;
        for (std::uint64_t block = begin / bytes; block <= last; ++block) {
            if (!found.empty() && found.back() == block) continue;
            in_order = in_order && (found.empty() || found.back() < block);
            found.push_back(block);
        }
    }
    if (!in_order) {
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    return found;
}

}  // namespace

unsigned active_lanes(const Request& request) {
    return static_cast<unsigned>(std::popcount(request.lanes));
}

unsigned sectors(const Request& request) {
    return static_cast<unsigned>(blocks(request, request.lanes, sector_bytes).size());
}

unsigned words(const Request& request) {
    return static_cast<unsigned>(blocks(request, request.lanes, 4).size());
}

Wavefronts wavefronts(const Request& request) {
    const unsigned together = request.bytes > 8 ? 8 : request.bytes > 4 ? 16 : 32;  // lanes
    Wavefronts result{0, 0};
    for (unsigned first = 0; first < 32; first += together) {
        const std::uint32_t lanes = request.lanes & (0xffffffffU >> (32 - together)) << first;
        if (lanes == 0) continue;
        unsigned of_bank[32] = {}, most = 0;
        for (const std::uint64_t word : blocks(request, lanes, 4))
            most = std::max(most, ++of_bank[word % 32]);
        result.count += most;
        ++result.ideal;
    }
    return result;
}

}  // namespace cuda_on_cpu::count
