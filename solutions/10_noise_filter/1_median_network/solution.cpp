// SPDX-License-Identifier: MIT
// Exercise 1 of lab 10, README.md: a network for the median of nine.
#include <array>
#include <vector>

/// A list of comparisons of places 0 to 8. {a, b} puts the smaller of the values in places a and b
/// into a, the larger one into b. After the last comparison the median of all nine is in place 4.
std::vector<std::array<int, 2>> median_network() {
    return {
        {0, 1}, {1, 2}, {0, 1},  // three columns, sorted
        {3, 4}, {4, 5}, {3, 4},  //
        {6, 7}, {7, 8}, {6, 7},  //
        {0, 3}, {3, 6},          // the largest of the smallest, to 6
        {5, 8}, {2, 5},          // the smallest of the largest, to 2
        {1, 4}, {4, 7}, {1, 4},  // the median of the middle ones, to 4
        {4, 2}, {6, 4}, {4, 2},  // the median of these three, to 4
    };
}
