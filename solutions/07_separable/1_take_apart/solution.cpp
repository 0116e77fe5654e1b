// SPDX-License-Identifier: MIT
// Exercise 1 of lab 07, README.md: take a filter apart.

/// taps are width * height numbers, row by row, not all of them 0, and taps[j * width + i] is
/// column[j] * row[i]. Finds such a column of `height` numbers and a row of `width` numbers.
void separate(const double* taps, int width, int height, double* column, double* row) {
    int tap = 0;
    while (taps[tap] == 0) ++tap;
    const int p = tap % width, q = tap / width;
    for (int j = 0; j < height; ++j) column[j] = taps[j * width + p] / taps[tap];
    for (int i = 0; i < width; ++i) row[i] = taps[q * width + i];
}
