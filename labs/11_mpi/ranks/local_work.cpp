// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/local_work.hpp"

#include <chrono>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <new>

namespace convolab::mpi {
namespace {

using Clock = std::chrono::steady_clock;

std::map<std::string, MakeWork>& makers() {
    static std::map<std::string, MakeWork> all;  // in the order of names: the same on every rank
    return all;
}

/// The communicator of the first n ranks. All of them call it, and no others need to.
MPI_Comm first_ranks(int n) {
    static std::map<int, MPI_Comm> made;
    const auto found = made.find(n);
    if (found != made.end()) return found->second;
    constexpr int kTag = 5;
    int range[1][3] = {{0, n - 1, 1}};
    MPI_Group world, group;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, kTag, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return made[n] = comm;
}

/// The object of a job on this rank.
struct LocalWork {
    MPI_Comm comm;
    std::unique_ptr<RankWork> work;
};
std::map<std::int64_t, LocalWork>& all_local_work() {
    static std::map<std::int64_t, LocalWork> all;
    return all;
}

RunTimes run(const LocalWork& local) {
    RankClock clock;
    MPI_Barrier(local.comm);
    const auto start = Clock::now();
    local.work->run(clock);
    clock.wait([&] { MPI_Barrier(local.comm); });
    const std::chrono::duration<double, std::milli> total = Clock::now() - start;
    const RankTimes& own = clock.times();
    const double mine[] = {total.count(), own.compute_ms, own.exchange_ms, own.wait_ms};
    double most[4] = {};
    MPI_Reduce(mine, most, 4, MPI_DOUBLE, MPI_MAX, 0, local.comm);
    return {most[0], {most[1], most[2], most[3]}};
}

}  // namespace

void or_abort(const std::function<void()>& work) {
    std::string why;
    try {
        return work();
    } catch (const std::bad_alloc&) {
        why = "the machine has not enough memory.";
    } catch (const std::exception& error) {
        why = error.what();
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::cerr << "Rank " << rank << ": " << why << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void make_local_work(const Numbers& words) {
    RankJob job = from_numbers({words.begin() + 3, words.end()});
    job.comm = first_ranks(job.ranks());
    MPI_Comm_rank(job.comm, &job.rank);
    const auto maker = std::next(makers().begin(), words[2]);
    all_local_work()[words[1]] = {job.comm, maker->second(job)};
}

RunTimes run_local_work(std::int64_t id) { return run(all_local_work().at(id)); }

RankWork& local_work(std::int64_t id) { return *all_local_work().at(id).work; }

void remove_local_work(std::int64_t id) { all_local_work().erase(id); }

std::int64_t maker_number(const std::string& variant) {
    return std::distance(makers().begin(), makers().find(variant));
}

void add_maker(const std::string& variant, MakeWork make) { makers()[variant] = make; }

}  // namespace convolab::mpi
