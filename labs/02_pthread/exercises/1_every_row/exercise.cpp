// SPDX-License-Identifier: MIT
// Exercise 1 of lab 02, README.md: a thread for every row.
#include <pthread.h>

#include <cstdint>
#include <vector>

struct Part {
    const std::uint8_t* in;
    std::uint8_t* out;
    int width, first, last;  // for rows first to last - 1
};

/// out(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3. Outside the picture, in is 0.
static void* smooth_part(void* argument) {
    const Part& part = *static_cast<Part*>(argument);
    for (int y = part.first; y < part.last; ++y)
        for (int x = 0; x < part.width; ++x) {
            const std::uint8_t* in = part.in + y * part.width + x;
            const int sum = (x > 0 ? in[-1] : 0) + in[0] + (x < part.width - 1 ? in[1] : 0);
            part.out[y * part.width + x] = static_cast<std::uint8_t>(sum / 3);
        }
    return nullptr;
}

/// Filters width * height samples of 8 bits, row by row, with that many threads (at least 1).
void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height, int threads) {
    std::vector<pthread_t> ids(threads);
    std::vector<Part> parts(threads);
    const int rows = height / threads;
    for (int t = 0; t < threads; ++t) {
        parts[t] = {in, out, width, t * rows, (t + 1) * rows};
        pthread_create(&ids[t], nullptr, smooth_part, &parts[t]);
    }
    for (const pthread_t id : ids) pthread_join(id, nullptr);
}
