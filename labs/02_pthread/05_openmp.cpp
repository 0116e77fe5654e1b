// SPDX-License-Identifier: MIT
// openmp -- rows, with the threads left to the compiler
// Source: new.
// Idea: one line in front of the loop over the rows divides it. The compiler turns the loop's body
//     into a function, and the library of OpenMP calls it from threads that it creates.
// Since rows: there is no pthread_create, no struct for arguments and no join, because the end of
//     the loop waits for all threads. OpenMP also divides the remainder: the shares differ by at
//     most one row.
// Limit: static scheduling, as in rows. OpenMP would keep its threads for the next loop; this file
//     ends them after each run, so that it can be compared with rows.
// Alone: build/labs/02_pthread/lab bench --variant rows,openmp --threads 1,2 --size 1080p
#include "common/base/error.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/02_pthread/shared/nested_part.hpp"
#include "labs/02_pthread/variants.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace convolab {
namespace {

#ifdef _OPENMP
struct OpenMpRows : ThreadedNested {
    explicit OpenMpRows(const Job& job) : ThreadedNested(job) {
        if (omp_get_thread_limit() < threads || omp_get_dynamic())
            throw Skipped(
                "OMP_THREAD_LIMIT or OMP_DYNAMIC allows OpenMP fewer threads than are asked for; "
                "unset them.");
    }
};

void convolve_rows(const OpenMpRows& job, Image& result) {
#pragma omp parallel for schedule(static) num_threads(job.threads)
    for (std::int64_t y = 0; y < result.height(); ++y)
        convolve(job, {0, y, result.width(), y + 1}, result);
    omp_pause_resource_all(omp_pause_hard);  // ends the threads
}
#else
struct OpenMpRows : ThreadedNested {
    explicit OpenMpRows(const Job& job) : ThreadedNested(job) {
        throw MissingLibrary(
            "This program was built without OpenMP: g++ includes it, clang++ needs libomp-dev, and "
            "ThreadSanitizer does not support it.");
    }
};
void convolve_rows(const OpenMpRows&, Image&) {}
#endif

}  // namespace

const Variant openmp = cpu_variant(
    {.name = "openmp", .idea = "rows, with the threads left to the compiler", .uses = kUsesThreads},
    convolve_rows);

}  // namespace convolab
