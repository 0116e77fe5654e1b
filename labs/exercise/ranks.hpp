// SPDX-License-Identifier: MIT
// The answer of an MPI exercise runs on all ranks, with the same picture; rank 0 writes what became
// of it.
#pragma once

#include <mpi.h>
#include <unistd.h>

#include <thread>

#include "labs/exercise/exercise.hpp"

namespace convolab::exercise {

/// The rows of a rank.
struct Band {
    int first, rows;
};

inline Band band_of(int rank, int ranks, int height) {
    const int first = height * rank / ranks;
    return {first, height * (rank + 1) / ranks - first};
}

inline int rank() {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline int ranks() {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

/// Bands of at least one row.
inline std::vector<Size> sizes_for_bands(Draw& draw) {
    std::vector<Size> all = any_sizes(draw);
    for (Size& size : all) size.height = std::max(size.height, 3);
    return all;
}

/// Every rank's band of `out`, to all ranks.
inline void share_bands(std::vector<std::uint8_t>& out, int width, int height) {
    for (int from = 0; from < ranks(); ++from) {
        const Band band = band_of(from, ranks(), height);
        MPI_Bcast(&out[width * band.first], width * band.rows, MPI_BYTE, from, MPI_COMM_WORLD);
    }
}

/// call(), which ends the program with words if it takes seconds: MPI itself would wait for ever.
template <class Call>
void call_in_time(Call call) {
    const std::jthread watch([rank = rank()](const std::stop_token& done) {
        for (int ms = 0; ms < 5000; ++ms) {
            if (done.stop_requested()) return;
            usleep(1000);
        }
        complain("Rank " + std::to_string(rank) +
                 " is not done after 5 s: it waits for a message, or for one of its own to be "
                 "received, or a loop never ends.");
    });
    call();
}

/// A call of MPI that the answer made with a wrong argument.
inline void end_with_words(MPI_Comm*, int* error, ...) {
    char words[MPI_MAX_ERROR_STRING] = {};
    int length;
    MPI_Error_string(*error, words, &length);
    complain("MPI says on rank " + std::to_string(rank()) + ": " + words + '.');
}

/// judge() on all ranks of the answer's program; the judge itself is one process.
inline int judge_ranks(int argc, char** argv, const Exercise& exercise) {
    if (!exercise.answer) return judge(argc, argv, exercise);
    alarm(60);  // should mpirun be killed, and this rank never end
    MPI_Init(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(end_with_words, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    writes_records = rank() == 0;
    const int code = judge(argc, argv, exercise);
    MPI_Finalize();
    return code;
}

}  // namespace convolab::exercise
