// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/workers.hpp"

#include <sched.h>

#include <chrono>
#include <thread>

#include "common/base/error.hpp"
#include "labs/11_mpi/ranks/picture_file.hpp"

namespace convolab::mpi {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kCommandTag = 1;

int rank_of_world(int (*ask)(MPI_Comm, int*)) {
    int answer = 0;
    ask(MPI_COMM_WORLD, &answer);
    return answer;
}

/// A message of rank 0. A rank that waits for long sleeps in between, so that the cores are free
/// for the ranks of another job.
Numbers next_command() {
    using namespace std::chrono_literals;
    const auto since = Clock::now();
    MPI_Status status;
    for (int is_there = 0;;) {
        MPI_Iprobe(0, kCommandTag, MPI_COMM_WORLD, &is_there, &status);
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
    MPI_Recv(words.data(), count, MPI_INT64_T, 0, kCommandTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return words;
}

void tell(int ranks, const Numbers& words) {
    for (int rank = 1; rank < ranks; ++rank)
        MPI_Send(words.data(), static_cast<int>(words.size()), MPI_INT64_T, rank, kCommandTag,
                 MPI_COMM_WORLD);
}

void do_command(const Numbers& words) {
    const auto command = static_cast<RankCommand>(words[0]);
    const std::int64_t id = words[1];
    if (command == RankCommand::make) make_local_work(words);
    if (command == RankCommand::distribute) local_work(id).distribute(nullptr);
    if (command == RankCommand::run) run_local_work(id);
    if (command == RankCommand::collect) local_work(id).collect(nullptr);
    if (command == RankCommand::poison) local_work(id).poison();
    if (command == RankCommand::remove) remove_local_work(id);
}

}  // namespace

MpiEnvironment::MpiEnvironment(int* argc, char*** argv) {
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);  // the reference uses threads
    rank_ = rank_of_world(MPI_Comm_rank);
}

MpiEnvironment::~MpiEnvironment() {
    TemporaryFiles::close_all();
    MPI_Finalize();
}

void MpiEnvironment::work() {
    for (Numbers words = next_command(); words[0] != static_cast<std::int64_t>(RankCommand::end);
         words = next_command())
        or_abort([&] { do_command(words); });
}

void MpiEnvironment::end_workers() {
    tell(rank_of_world(MPI_Comm_size), {static_cast<std::int64_t>(RankCommand::end)});
}

DistributedWork::DistributedWork(const std::string& variant, const RankJob& job)
    : ranks_(job.ranks()) {
    static std::int64_t last = 0;
    const int started = rank_of_world(MPI_Comm_size);
    if (ranks_ > started)
        throw Skipped("It needs " + std::to_string(ranks_) + " ranks and " +
                      std::to_string(started) + " were started; start as many with mpirun.");
    id_ = ++last;
    Numbers words = {static_cast<std::int64_t>(RankCommand::make), id_, maker_number(variant)};
    const Numbers sent = to_numbers(job);
    words.insert(words.end(), sent.begin(), sent.end());
    tell(ranks_, words);
    or_abort([&] { make_local_work(words); });
}

DistributedWork::~DistributedWork() {
    tell_ranks(RankCommand::remove);
    remove_local_work(id_);
}

void DistributedWork::tell_ranks(RankCommand command) const {
    tell(ranks_, {static_cast<std::int64_t>(command), id_});
}

void DistributedWork::distribute(const Image& picture) {
    tell_ranks(RankCommand::distribute);
    or_abort([&] { local_work(id_).distribute(&picture); });
}

RunTimes DistributedWork::run() {
    tell_ranks(RankCommand::run);
    RunTimes times{};
    or_abort([&] { times = run_local_work(id_); });
    return times;
}

void DistributedWork::collect(Image& result) {
    tell_ranks(RankCommand::collect);
    or_abort([&] { local_work(id_).collect(&result); });
}

void DistributedWork::poison() {
    tell_ranks(RankCommand::poison);
    or_abort([&] { local_work(id_).poison(); });
}

}  // namespace convolab::mpi
