// SPDX-License-Identifier: MIT
// Exercise 3 of lab 12, README.md: two of four.

/// matrix: 16 rows of 64 numbers, row by row; in each group of 4 at most 2 are not zero. values: 16
/// rows of 32 numbers, 2 of each group. places: 16 rows of 2 words. Group q, 0 to 15, of row m uses
/// bits 4 (q % 8) to 4 (q % 8) + 3 of word 2 m + q / 8: the lower two are the place of its first
/// value, 0 to 3, the upper two the place of its second. Before the call, both arrays may contain
/// any numbers.
void compress(const signed char* matrix, signed char* values, unsigned* places) {
    for (int word = 0; word < 16 * 2; ++word) {
        places[word] = 0;
        for (int q = 0; q < 8; ++q) {
            const signed char* group = matrix + 32 * word + 4 * q;
            const unsigned first = 0, second = 1;
            values[16 * word + 2 * q] = group[first];
            values[16 * word + 2 * q + 1] = group[second];
            places[word] |= (first | second << 2) << (4 * q);
        }
    }
}
