// SPDX-License-Identifier: MIT
// What this rank does for each job: an object of a variant. Each job has a number, the same on all
// of its ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "labs/11_mpi/ranks/rank_work.hpp"

namespace convolab::mpi {

using Numbers = std::vector<std::int64_t>;

/// For rank_variant(): from now on every rank can make objects for this variant.
void add_maker(const std::string& variant, MakeWork make);
/// The variant's place in the list, which is the same on every rank.
std::int64_t maker_number(const std::string& variant);

/// words: the command, the job's number, the variant's, then the job (rank_job.hpp). The job's
/// ranks meet.
void make_local_work(const Numbers& words);
RankWork& local_work(std::int64_t id);
void remove_local_work(std::int64_t id);

/// The time from the common start to the common end, and its parts; complete on rank 0.
struct RunTimes {
    double total_ms;
    RankTimes parts;
};
RunTimes run_local_work(std::int64_t id);

/// Calls work(). Other ranks may already wait for this one, so an exception ends all of them.
void or_abort(const std::function<void()>& work);

}  // namespace convolab::mpi
