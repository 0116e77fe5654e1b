// SPDX-License-Identifier: MIT
// Exercise 1 of lab 02: a thread for every row.
#include <pthread.h>

#include <cstdint>
#include <vector>

struct Part {
    const std::uint8_t* in;
    std::uint8_t* out;
    int width, first, last;  // rows first to last - 1
};

/// out(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3; outside the picture is 0.
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

/// width * height samples of 8 bits, row by row, with this many threads, at least 1.
void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height, int threads) {
    std::vector<pthread_t> ids(threads);
    std::vector<Part> parts(threads);
    for (int t = 0; t < threads; ++t) {
        const int first = height * t / threads, last = height * (t + 1) / threads;
        parts[t] = {in, out, width, first, last};
        pthread_create(&ids[t], nullptr, smooth_part, &parts[t]);
    }
    for (const pthread_t id : ids) pthread_join(id, nullptr);
}
