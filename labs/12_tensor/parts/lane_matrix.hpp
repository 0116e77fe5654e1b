// SPDX-License-Identifier: MIT
// The filter's matrix as fragments of the lanes (fragments.hpp), which the host computes.
#pragma once

#include <vector>

#include "labs/12_tensor/parts/fragments.hpp"
#include "labs/12_tensor/parts/toeplitz.hpp"

namespace convolab::tensor_cores {

/// Puts element (m, k), where k counts the elements that are stored, into the words of a lane.
inline void put(unsigned (&words)[4], int m, int k, std::int8_t value) {
    words[m / 8 + 2 * (k / 16)] |= static_cast<unsigned>(static_cast<std::uint8_t>(value))
                                   << (8 * (k % 4));
}

/// The places of the two elements that are stored of a group: those that are not zero. If there are
/// fewer than two, zeros fill up.
struct TwoPlaces {
    int first = 0, last = 3;
};
template <class IsSet>
TwoPlaces two_places(const IsSet& is_set) {
    TwoPlaces at;
    while (at.first < 2 && !is_set(at.first)) ++at.first;
    while (at.last > at.first + 1 && !is_set(at.last)) --at.last;
    return at;
}

/// Returns the fragments for each pair of window rows, each step and each lane.
template <class Form>
std::vector<Form> lane_matrix(const Toeplitz& matrix) {
    const int steps = steps_for(matrix.window(), Form::kWords);
    // Bytes of a window before the first that has a tap.
    const int unused = Form::kBefore > 0 ? Form::kBefore - matrix.reach() : 0;
    std::vector<Form> lanes;
    for (int pair = 0; pair < matrix.parts(); ++pair)
        for (int step = 0; step < steps; ++step) {
            unsigned a[32][4] = {}, positions[32] = {};
            for (int m = 0; m < 16; ++m) {
                const OutputPlace out = output_place(m);
                const auto element = [&](int k) {
                    const InputPlace in = input_place(k, step, Form::kWords);
                    return matrix.weight(out.row, out.x, 2 * pair + in.row, in.at - unused);
                };
                // Returns the lane that holds the k-th of the stored elements.
                const auto lane_of = [&](int k) { return 4 * (m % 8) + k % 16 / 4; };
                if constexpr (Form::kWords == 2) {
                    for (int k = 0; k < 32; ++k) put(a[lane_of(k)], m, k, element(k));
                } else {
                    for (int group = 0; group < 16; ++group) {
                        const auto [first, last] =
                            two_places([&](int k) { return element(4 * group + k) != 0; });
                        put(a[lane_of(2 * group)], m, 2 * group, element(4 * group + first));
                        put(a[lane_of(2 * group)], m, 2 * group + 1, element(4 * group + last));
                        positions[4 * (m % 8) + m / 8 + 2 * (group / 8)] |=
                            static_cast<unsigned>(first | last << 2) << (4 * (group % 8));
                    }
                }
            }
            for (int lane = 0; lane < 32; ++lane) {
                Form form{};
                form.a = make_uint4(a[lane][0], a[lane][1], a[lane][2], a[lane][3]);
                if constexpr (Form::kWords == 4) form.positions = positions[lane];
                lanes.push_back(form);
            }
        }
    return lanes;
}

}  // namespace convolab::tensor_cores
