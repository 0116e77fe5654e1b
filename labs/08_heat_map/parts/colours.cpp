// SPDX-License-Identifier: MIT
#include "labs/08_heat_map/parts/colours.hpp"

namespace convolab::heat {

std::array<Colour, kDifferences> all_colours() {
    std::array<Colour, kDifferences> all{};
    for (int d = 0; d < kDifferences; ++d) all[static_cast<std::size_t>(d)] = colour_of<double>(d);
    return all;
}

}  // namespace convolab::heat
