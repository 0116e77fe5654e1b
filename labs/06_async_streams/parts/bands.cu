// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "labs/06_async_streams/parts/bands.hpp"

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
    if (height < devices)
        throw Unsupported("An image of " + std::to_string(height) + " rows cannot be shared by " +
                          std::to_string(devices) + " devices; take fewer --devices.");
    if (devices > 1 && height / devices < job.filter.radius())
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
    const int radius = std::max(job.filter.radius(), 1);
    return std::clamp(thinnest(bands) / (kRowsPerHaloRow * radius), 1, kMostPasses);
}

}  // namespace convolab::async_streams
