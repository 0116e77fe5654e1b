// SPDX-License-Identifier: MIT
// A job as every rank knows it: all but the pixels, which rank 0 has.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/variant/convolver.hpp"

namespace convolab::mpi {

struct RankJob {
    /// The first `settings.ranks` ranks; MPI_COMM_NULL until they have met.
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    std::int64_t width, height;
    int channels;
    Filter filter;
    /// In place of `valid` stands `replicate`: a pixel that no border reaches does not depend on
    /// it, and rank 0 cuts the others away.
    Border border;
    Settings settings;

    int ranks() const { return settings.ranks; }
    int passes() const { return settings.passes; }
    int radius() const { return filter.radius(); }
    std::int64_t row_bytes() const { return width * channels; }
};

RankJob rank_job(const Job& job);

/// This rank's number among those of its machine, and how many those are. All ranks of the world
/// make the first call together.
int place_on_machine();
int ranks_on_machine();

/// What rank 0 sends, and the job that another rank reads from it.
std::vector<std::int64_t> to_numbers(const RankJob& job);
RankJob from_numbers(const std::vector<std::int64_t>& numbers);

/// The border rule of the whole picture that the ranks at its edges exchange rows for.
inline bool is_ring(const RankJob& job) { return job.border.rule == BorderRule::wrap; }

/// The first of the `length` rows or columns that part i of n begins with; of part n: the end.
inline std::int64_t part_begin(std::int64_t length, int i, int n) { return length * i / n; }

/// Throws UnfitSetting if n parts of `length` rows (or columns) are too many: a part is at least
/// one row and, if there are several, as deep as the halo, which comes from the next part alone.
void require_parts(std::int64_t length, int n, std::int64_t halo, const std::string& lines);

}  // namespace convolab::mpi
