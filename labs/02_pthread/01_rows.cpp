// SPDX-License-Identifier: MIT
// rows -- one band of rows per thread
// Source: ariano2023, section 3.4.1.
// Idea: each of n threads computes floor(H / n) rows of the output, and the last one also takes the
//     remainder. No thread writes what another reads or writes, so nothing has to be locked.
// Since nested (lab 01): the same loops run over a part of the rows (shared/nested_part.cpp).
// Limit: static scheduling. The slowest thread sets the time. This may be the last one, which gets
//     up to n - 1 rows more, or one that another program delays.
// Alone: build/labs/02_pthread/lab bench --variant rows --threads 1,2 --size 1080p
#include <pthread.h>

#include <cstring>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/02_pthread/shared/nested_part.hpp"
#include "labs/02_pthread/variants.hpp"

namespace convolab {
namespace {

/// The argument of a thread, which computes rows first .. last - 1 of the output.
struct Band {
    const ThreadedNested* job;
    Image* result;
    std::int64_t first, last;
};

/// A POSIX thread runs a function that takes and returns a void*.
void* convolve_band(void* argument) {
    const auto* band = static_cast<const Band*>(argument);
    convolve(*band->job, {0, band->first, band->result->width(), band->last}, *band->result);
    return nullptr;
}

void convolve_rows(const ThreadedNested& job, Image& result) {
    const std::int64_t share = result.height() / job.threads;
    std::vector<Band> bands;  // must not grow or end while a thread still reads its band
    for (int t = 0; t < job.threads; ++t)
        bands.push_back({&job, &result, t * share, (t + 1) * share});
    bands.back().last = result.height();

    std::vector<pthread_t> threads;
    int error = 0;
    for (Band& band : bands) {
        pthread_t thread;
        error = pthread_create(&thread, nullptr, convolve_band, &band);
        if (error != 0) break;
        threads.push_back(thread);
    }
    // The threads that exist read `bands` and write `result`, so wait for them even after an error.
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
    if (error != 0)
        throw Error("Thread " + std::to_string(threads.size() + 1) +
                    " could not be created: " + std::strerror(error) + "; use fewer --threads.");
}

}  // namespace

const Variant rows =
    cpu_variant({.name = "rows", .idea = "a band of rows for each thread", .uses = kUsesThreads},
                convolve_rows);

}  // namespace convolab
