// SPDX-License-Identifier: MIT
// Exercise 1 of lab 10, README.md: a network for the median of nine.
#include <array>
#include <vector>

/// A list of comparisons of places 0 to 8. {a, b} puts the smaller of the values in places a and b
/// into a, the larger one into b. After the last comparison the median of all nine is in place 4.
std::vector<std::array<int, 2>> median_network() {
    std::vector<std::array<int, 2>> network;
    for (int last = 8; last > 0; --last)  // the largest of places 0 to `last` goes to the end
        for (int place = 0; place < last; ++place) network.push_back({place, place + 1});
    return network;
}
