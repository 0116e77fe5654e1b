// SPDX-License-Identifier: MIT
// Exercise 1 of lab 12, README.md: write the taps as a matrix.

/// taps: ksize * ksize numbers, row by row. matrix: 16 rows of (ksize + 1) * window numbers, row by
/// row. Its row 8 r + x belongs to sample x, 0 to 7, of output row r, 0 or 1. In this row, number
/// row * window + at belongs to sample `at` of window row `row`. Before the call, the matrix may
/// contain any numbers.
void fill_matrix(const signed char* taps, int ksize, int channels, signed char* matrix) {
    const int window = 8 + (ksize - 1) * channels;  // samples of a row
    const int columns = (ksize + 1) * window;
    for (int i = 0; i < 16 * columns; ++i) matrix[i] = 0;
    for (int m = 0; m < 16; ++m)
        for (int j = 0; j < ksize; ++j)
            for (int i = 0; i < ksize; ++i)
                matrix[m * columns + j * window + i * channels] = taps[j * ksize + i];
}
