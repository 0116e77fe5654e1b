// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/crew.hpp"

#include <sched.h>

#include <chrono>
#include <thread>

#include "common/base/error.hpp"
#include "labs/11_mpi/ranks/picture_file.hpp"

namespace convolab::mpi {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kOrderTag = 1;

int rank_of_world(int (*ask)(MPI_Comm, int*)) {
    int answer = 0;
    ask(MPI_COMM_WORLD, &answer);
    return answer;
}

/// A message of rank 0. A rank that waits for long sleeps in between, so that the cores are free
/// for the ranks of another job.
Numbers next_order() {
    using namespace std::chrono_literals;
    const auto since = Clock::now();
    MPI_Status status;
    for (int is_there = 0;;) {
        MPI_Iprobe(0, kOrderTag, MPI_COMM_WORLD, &is_there, &status);
        if (is_there) break;
        const auto waited = Clock::now() - since;
        if (waited < 200us)
            sched_yield();
        else
            std::this_thread::sleep_for(waited < 1ms ? 50us : waited < 20ms ? 300us : 1000us);
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
    const std::int64_t id = words[1];
    if (order == Order::make) make_member(words);
    if (order == Order::distribute) member(id).distribute(nullptr);
    if (order == Order::run) run_member(id);
    if (order == Order::collect) member(id).collect(nullptr);
    if (order == Order::poison) member(id).poison();
    if (order == Order::remove) remove_member(id);
}

}  // namespace

Crew::Crew(int* argc, char*** argv) {
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);  // the reference uses threads
    rank_ = rank_of_world(MPI_Comm_rank);
}

Crew::~Crew() {
    TemporaryFiles::close_all();
    MPI_Finalize();
}

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
    Numbers words = {static_cast<std::int64_t>(Order::make), id_, maker_number(variant)};
    const Numbers sent = to_numbers(job);
    words.insert(words.end(), sent.begin(), sent.end());
    tell(ranks_, words);
    or_abort([&] { make_member(words); });
}

Team::~Team() {
    say(Order::remove);
    remove_member(id_);
}

void Team::say(Order order) const { tell(ranks_, {static_cast<std::int64_t>(order), id_}); }

void Team::distribute(const Image& picture) {
    say(Order::distribute);
    or_abort([&] { member(id_).distribute(&picture); });
}

RunTimes Team::run() {
    say(Order::run);
    RunTimes times{};
    or_abort([&] { times = run_member(id_); });
    return times;
}

void Team::collect(Image& result) {
    say(Order::collect);
    or_abort([&] { member(id_).collect(&result); });
}

void Team::poison() {
    say(Order::poison);
    or_abort([&] { member(id_).poison(); });
}

}  // namespace convolab::mpi
