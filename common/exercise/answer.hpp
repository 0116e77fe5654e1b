// SPDX-License-Identifier: MIT
// The program that calls the answer: it makes the pictures, and gives what became of them to the
// judge. Nothing in it says what is right, and no file is open while the answer runs.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "common/exercise/exercise.hpp"
#include "common/exercise/plan.hpp"

namespace convolab::exercise {

/// With MPI one rank writes for all.
static bool writes = true;

/// Calls the answer, between begin() and end().
template <class T, class Begin, class End>
Record<T> ask(const Exercise<T>& exercise, const Drawn& drawn, Begin begin, End end) {
    const Input in = input_of(exercise, drawn);
    Record<T> record;
    record.turn = drawn.turn;
    record.out = rubbish_for(exercise, in, drawn);
    most_bytes = too_many_bytes(in);
    begin();
    Stopwatch watch;
    exercise.answer(in, record.out, watch);
    end();
    if (watch.stopped()) record.seconds = watch.seconds();
    for (const CountGoal& goal : exercise.counts)
        record.counted.push_back(exercise.counted ? exercise.counted(goal) : 0);
    record.keeps_input = in.samples == input_of(exercise, drawn).samples;
    return record;
}

/// A record for each picture, behind the others in the file.
template <class T>
void answer_all(const Exercise<T>& exercise, const std::vector<Drawn>& pictures, const char* path) {
    // `check` runs the program in other orders, too, to find what the usual one hides.
    const char* const order = std::getenv("CUDA_ON_CPU_ORDER");
    const bool is_usual = order == nullptr || std::string_view(order) == "forward";
    std::string records = is_usual ? path : path + std::string(".") + order;
    const char* const run = std::getenv("CUDA_ON_CPU_RUN");  // check repeats some, to be sure
    if (run != nullptr && std::string_view(run) != "1") records = path + std::string(".again");
    for (const Drawn& drawn : pictures) {
        const Record<T> record = ask(
            exercise, drawn, [] {}, [] {});
        if (!writes) continue;
        std::FILE* const file = std::fopen(records.c_str(), "ab");
        if (file == nullptr) std::abort();
        // One write, which no other process of the answer can come between.
        std::setvbuf(file, nullptr, _IOFBF, record.out.size() * sizeof(T) + 4096);
        write_record(file, record);
        std::fclose(file);
    }
}

/// The judge's ends of the pipes.
constexpr int kGo = 3, kDone = 4;

/// The work of another process is not measured.
inline void end_if_another_process_worked() {
    rusage others{};
    getrusage(RUSAGE_CHILDREN, &others);
    if (others.ru_maxrss > 0 || waitpid(-1, nullptr, WNOHANG) >= 0) std::_Exit(kAnotherProcess);
}

/// The judge says which picture, and when, and measures until its number comes back.
template <class T>
void answer_when_told(const Exercise<T>& exercise, const std::vector<Drawn>& pictures) {
    std::FILE* const file = fdopen(kDone, "wb");
    std::uint64_t number = 0;
    const auto tell = [&number] {
        if (::write(kDone, &number, sizeof number) != sizeof number) std::_Exit(1);
    };
    const auto wait = [&] {
        number = 0;
        tell();
        if (::read(kGo, &number, sizeof number) != sizeof number) std::_Exit(1);
    };
    for (std::uint64_t turn; ::read(kGo, &turn, sizeof turn) == sizeof turn;) {
        const Record<T> record = ask(exercise, pictures.at(turn), wait, tell);
        end_if_another_process_worked();
        write_record(file, record);
        std::fflush(file);
    }
}

/// `answer bytes SEED FILE`, `answer count SEED FILE` or `answer time SEED`.
template <class T>
int judge(int argc, char** argv, const Exercise<T>& exercise) {
    if (argc < 3) return 2;
    const std::string mode = argv[1];
    is_counted = mode == "count";
    const std::vector<Drawn> pictures = plan(exercise, mode, std::stoul(argv[2]));
    if (argc < 4) {
        answer_when_told(exercise, pictures);
    } else {
        complaints = std::string(argv[3]) + ".wrong";
        if (large_variable != nullptr)
            complain(std::string("the array ") + large_variable +
                     " is as large as a picture of one size, and a larger one does not fit. The "
                     "answer needs no such array.");
        answer_all(exercise, pictures, argv[3]);
    }
    return 0;
}

}  // namespace convolab::exercise
