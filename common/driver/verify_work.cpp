// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/verify_work.hpp"

#include <algorithm>

#include "common/threads/topology.hpp"

namespace convolab {

Launches VerifyWork::launches(const VerifyCase& one) const {
    Launches all;
    for (std::size_t v = 0; v < options_.variants.size(); ++v) {
        const Variant& variant = *options_.variants[v];
        if (takes(variant, plan_.pictures[one.picture].image))
            all.emplace_back(v, VerifyPlan::settings(one, variant));
    }
    return all;
}

Scenes VerifyWork::scenes(const Size& size) const {
    const auto& sizes = options_.sizes;
    const bool smallest = size.name == sizes.front().name;
    Settings settings;
    settings.threads = cpu_count();
    settings.frames = 2;
    settings.filters = 2;
    settings.ranks = default_ranks();
    Scenes all;
    for (std::size_t v = 0; v < options_.variants.size(); ++v) {
        const Variant& variant = *options_.variants[v];
        const bool every_size = options_.only_sizes || lab_.backend_of(variant).is_timed();
        const auto large = std::find_if(sizes.begin(), sizes.end(), [&](const Size& of) {
            return of.width * of.height * variant.channels.front() > 1 << 24;
        });
        if (every_size || smallest || (large != sizes.end() && large->name == size.name))
            all[{variant.types.front(), variant.channels.front()}].emplace_back(v, settings);
    }
    return all;
}

double VerifyWork::cost(const VerifyCase& one) const {
    const double ksize = plan_.filters[one.filter].ksize();
    return static_cast<double>(plan_.pictures[one.picture].image.samples()) * ksize * ksize *
           static_cast<double>(launches(one).size());
}

double VerifyWork::cost(const Size& size) const {
    const double pixels = static_cast<double>(size.width) * static_cast<double>(size.height);
    double samples = 0;
    for (const auto& [storage, launches] : scenes(size))
        samples += pixels * storage.second * static_cast<double>(launches.size());
    return samples * 5 * 5;
}

}  // namespace convolab
