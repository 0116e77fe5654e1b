// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "labs/06_async_streams/parts/peers.hpp"

namespace convolab::async_streams {
namespace {

int thinnest(const std::vector<Band>& bands) {
    return std::min_element(bands.begin(), bands.end(),
                            [](const Band& a, const Band& b) { return a.rows < b.rows; })
        ->rows;
}

}  // namespace

std::vector<Band> bands_on_devices(const Job& job, int devices) {
    const std::int64_t height = job.image().height();
    if (height / devices < std::max(devices > 1 ? job.filter.radius() : 0, 1))
        throw Unsupported("An image of " + std::to_string(height) + " rows in " +
                          std::to_string(devices) + " bands has bands thinner than the halo of " +
                          std::to_string(job.filter.radius()) + " rows; take fewer --devices.");
    std::vector<Band> bands;
    for (int b = 0; b < devices; ++b) {
        const auto first = static_cast<int>(height * b / devices);
        const auto end = static_cast<int>(height * (b + 1) / devices);
        bands.push_back({first, end - first, first, end});
    }
    return bands;
}

int passes_per_exchange(const Job& job, const std::vector<Band>& bands) {
    constexpr int kMaxPasses = 16;
    constexpr int kShare = 32;  // of the rows, on each side
    const int radius = std::max(job.filter.radius(), 1);
    return std::clamp(thinnest(bands) / (kShare * radius), 1, kMaxPasses);
}

void allow_peer_access(int devices) {
    static std::set<std::pair<int, int>> allowed;  // to allow it twice is an error
    for (int from = 0; from < devices; ++from)
        for (int to = 0; to < devices; ++to) {
            int can = 0;
            if (from != to) CUDA_CHECK(cudaDeviceCanAccessPeer(&can, from, to));
            if (can == 0 || allowed.contains({from, to})) continue;
            const OnDevice here(from);
            CUDA_CHECK(cudaDeviceEnablePeerAccess(to, 0));
            allowed.insert({from, to});
        }
}

}  // namespace convolab::async_streams
