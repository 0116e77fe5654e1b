// SPDX-License-Identifier: MIT
// Exercise 1 of lab 12, README.md: write the taps as a matrix.

/// taps: ksize * ksize numbers, row by row. The matrix has 16 rows of (ksize + 1) * window numbers,
/// row by row. Its row 8 r + x belongs to sample x, 0 to 7, of output row r, 0 or 1; in it, number
/// row * window + at belongs to sample `at` of window row `row`. It holds anything before.
void fill_matrix(const signed char* taps, int ksize, int channels, signed char* matrix) {
    const int window = 8 + (ksize - 1) * channels;  // samples of a row
    const int columns = (ksize + 1) * window;
    for (int i = 0; i < 16 * columns; ++i) matrix[i] = 0;
    for (int m = 0; m < 16; ++m)
        for (int j = 0; j < ksize; ++j)
            for (int i = 0; i < ksize; ++i) {
                const int row = m / 8 + j, at = m % 8 + i * channels;
                matrix[m * columns + row * window + at] = taps[j * ksize + i];
            }
}
