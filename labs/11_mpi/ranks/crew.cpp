// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/crew.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <new>
#include <thread>

#include "common/base/error.hpp"

namespace convolab::mpi {
namespace {

using Numbers = std::vector<std::int64_t>;
using Clock = std::chrono::steady_clock;
constexpr int kOrderTag = 1;

int rank_of_world(int (*ask)(MPI_Comm, int*)) {
    int answer = 0;
    ask(MPI_COMM_WORLD, &answer);
    return answer;
}

/// Calls work(). Other ranks may already wait for this one, so what it throws ends all of them.
void or_abort(const std::function<void()>& work) {
    std::string why;
    try {
        return work();
    } catch (const std::bad_alloc&) {
        why = "the machine has not enough memory.";
    } catch (const std::exception& error) {
        why = error.what();
    }
    std::cerr << "error: Rank " << rank_of_world(MPI_Comm_rank) << ": " << why << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
}

std::map<std::string, MakeWork>& makers() {
    static std::map<std::string, MakeWork> all;  // in the order of names: the same on every rank
    return all;
}

/// The communicator of the first n ranks. All of them call it, and no others need to.
MPI_Comm first_ranks(int n) {
    static std::map<int, MPI_Comm> made;
    const auto found = made.find(n);
    if (found != made.end()) return found->second;
    int range[1][3] = {{0, n - 1, 1}};
    MPI_Group world, group;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, kOrderTag, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return made[n] = comm;
}

/// The object of a job on this rank.
struct Member {
    MPI_Comm comm;
    std::unique_ptr<RankWork> work;
};
std::map<std::int64_t, Member>& members() {
    static std::map<std::int64_t, Member> all;
    return all;
}

void make(const Numbers& words) {
    RankJob job = from_numbers({words.begin() + 3, words.end()});
    job.comm = first_ranks(job.ranks());
    MPI_Comm_rank(job.comm, &job.rank);
    const auto maker = std::next(makers().begin(), words[2]);
    members()[words[1]] = {job.comm, maker->second(job)};
}

Team::Times run(const Member& member) {
    RankClock clock;
    MPI_Barrier(member.comm);
    const auto start = Clock::now();
    member.work->run(clock);
    clock.wait([&] { MPI_Barrier(member.comm); });
    const std::chrono::duration<double, std::milli> total = Clock::now() - start;
    const RankTimes& own = clock.times();
    const double mine[] = {total.count(), own.compute_ms, own.exchange_ms, own.wait_ms};
    double most[4] = {};
    MPI_Reduce(mine, most, 4, MPI_DOUBLE, MPI_MAX, 0, member.comm);
    return {most[0], {most[1], most[2], most[3]}};
}

/// A message of rank 0. A rank that waits for long sleeps in between, so that the cores are free for
/// the ranks of another job.
Numbers next_order() {
    using namespace std::chrono_literals;
    const auto since = Clock::now();
    MPI_Status status;
    for (int is_there = 0;;) {
        MPI_Iprobe(0, kOrderTag, MPI_COMM_WORLD, &is_there, &status);
        if (is_there) break;
        const auto waited = Clock::now() - since;
        if (waited < 1ms)
            sched_yield();
        else
            std::this_thread::sleep_for(waited < 50ms ? 100us : 1000us);
    }
    int count = 0;
    MPI_Get_count(&status, MPI_INT64_T, &count);
    Numbers words(static_cast<std::size_t>(count));
    MPI_Recv(words.data(), count, MPI_INT64_T, 0, kOrderTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return words;
}

void tell(int ranks, const Numbers& words) {
    for (int rank = 1; rank < ranks; ++rank)
        MPI_Send(words.data(), static_cast<int>(words.size()), MPI_INT64_T, rank, kOrderTag,
                 MPI_COMM_WORLD);
}

void obey(const Numbers& words) {
    const auto order = static_cast<Order>(words[0]);
    if (order == Order::make) return make(words);
    const Member& member = members().at(words[1]);
    if (order == Order::distribute) member.work->distribute(nullptr);
    if (order == Order::run) run(member);
    if (order == Order::collect) member.work->collect(nullptr);
    if (order == Order::poison) member.work->poison();
    if (order == Order::remove) members().erase(words[1]);
}

}  // namespace

Crew::Crew(int* argc, char*** argv) {
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);  // the reference uses threads
    rank_ = rank_of_world(MPI_Comm_rank);
}

Crew::~Crew() { MPI_Finalize(); }

void Crew::serve() {
    for (Numbers words = next_order(); words[0] != static_cast<std::int64_t>(Order::end);
         words = next_order())
        or_abort([&] { obey(words); });
}

void Crew::dismiss() {
    tell(rank_of_world(MPI_Comm_size), {static_cast<std::int64_t>(Order::end)});
}

Team::Team(const std::string& variant, const RankJob& job) : ranks_(job.ranks()) {
    static std::int64_t last = 0;
    const int started = rank_of_world(MPI_Comm_size);
    if (ranks_ > started)
        throw Skipped("It needs " + std::to_string(ranks_) + " ranks and " +
                      std::to_string(started) + " were started; start as many with mpirun.");
    id_ = ++last;
    const auto number = std::distance(makers().begin(), makers().find(variant));
    Numbers words = {static_cast<std::int64_t>(Order::make), id_, number};
    const Numbers sent = to_numbers(job);
    words.insert(words.end(), sent.begin(), sent.end());
    tell(ranks_, words);
    or_abort([&] { make(words); });
}

Team::~Team() {
    say(Order::remove);
    members().erase(id_);
}

void Team::say(Order order) const { tell(ranks_, {static_cast<std::int64_t>(order), id_}); }

void Team::distribute(const Image& picture) {
    say(Order::distribute);
    or_abort([&] { members().at(id_).work->distribute(&picture); });
}

Team::Times Team::run() {
    say(Order::run);
    Times times{};
    or_abort([&] { times = mpi::run(members().at(id_)); });
    return times;
}

void Team::collect(Image& result) {
    say(Order::collect);
    or_abort([&] { members().at(id_).work->collect(&result); });
}

void Team::poison() {
    say(Order::poison);
    or_abort([&] { members().at(id_).work->poison(); });
}

void add_maker(const std::string& variant, MakeWork make) { makers()[variant] = make; }

}  // namespace convolab::mpi
