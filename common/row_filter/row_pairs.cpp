// SPDX-License-Identifier: MIT
// The instruction for sums along a row multiplies two neighbouring bytes by two taps and adds the
// products, with saturation to int16. This file pairs the taps of a row so that no sum saturates.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "common/row_filter/plan.hpp"

namespace convolab {
namespace {

/// Whether 255 a + 255 b and each part of it fit int16, so that a multiply-add of bytes is exact.
bool fit_together(int a, int b) {
    const auto [least, most] =
        std::pair{std::min(a, 0) + std::min(b, 0), std::max(a, 0) + std::max(b, 0)};
    return least >= -128 && most <= 128 && std::max(a, b) <= 127;
}

}  // namespace

bool pair_row_taps(const Taps& taps, int channels, Separable& plan, int& bias) {
    const int most = positive(taps);
    const int least = negative(taps);
    const int constant = most > 128 ? 128 - most : least < -128 ? -128 - least : 0;
    if (constant < -128 || constant > 127 || most + constant > 128 || least + constant < -128)
        return false;
    bias = 255 * constant;
    struct Tap {
        int tap, at;
    };
    std::vector<Tap> left;
    for (int i = 0; i < static_cast<int>(taps.size()); ++i) {
        int rest = taps[i];
        for (; std::abs(rest) > 127; rest -= rest > 0 ? 127 : -127)
            left.push_back({rest > 0 ? 127 : -127, i});
        if (rest != 0) left.push_back({rest, i});
    }
    std::stable_sort(left.begin(), left.end(),
                     [](const Tap& a, const Tap& b) { return std::abs(a.tap) > std::abs(b.tap); });
    const auto add = [&](const Tap& first, std::int64_t second, int tap) {
        plan.row_pairs.push_back({static_cast<std::int64_t>(first.at) * channels, second});
        plan.row_taps.push_back(two_bytes(first.tap, tap));
    };
    std::vector<Tap> alone;
    while (!left.empty()) {
        const Tap first = left.front();
        left.erase(left.begin());
        const auto second = std::find_if(
            left.begin(), left.end(), [&](const Tap& t) { return fit_together(first.tap, t.tap); });
        if (second == left.end()) {
            alone.push_back(first);
            continue;
        }
        add(first, second->at * channels, second->tap);
        left.erase(second);
    }
    auto last = std::find_if(alone.begin(), alone.end(),
                             [&](const Tap& t) { return fit_together(t.tap, constant); });
    const Tap with_constant = last == alone.end() ? Tap{0, 0} : *last;
    if (last != alone.end()) alone.erase(last);
    for (const Tap& t : alone) add(t, t.at * channels, 0);
    add(with_constant, -1, constant);
    return true;
}

}  // namespace convolab
