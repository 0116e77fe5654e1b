// SPDX-License-Identifier: MIT
// Samples on their way to the device: a count can change them, so that an output that the host has
// computed is a wrong one.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "common/exercise/exercise.hpp"

namespace convolab::exercise {

/// A judge that wants it sets this.
[[maybe_unused]] static bool is_changed_on_way = false;

/// Copies for which the host waits.
[[maybe_unused]] static int waiting_copies = 0;

inline std::uint8_t changed_on_way(std::uint8_t sample) {
    return is_counted ? sample ^ 85 : sample;
}

/// Where the copy gets its bytes.
[[maybe_unused]] static const void* on_way(const void* from, std::size_t bytes,
                                           cudaMemcpyKind kind) {
    static std::deque<std::vector<std::uint8_t>> all;  // an asynchronous copy may need them later
    if (!is_counted || !is_changed_on_way || kind != cudaMemcpyHostToDevice) return from;
    const auto* const samples = static_cast<const std::uint8_t*>(from);
    auto& changed = all.emplace_back(samples, samples + bytes);
    std::transform(changed.begin(), changed.end(), changed.begin(), changed_on_way);
    return changed.data();
}

}  // namespace convolab::exercise
