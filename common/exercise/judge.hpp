// SPDX-License-Identifier: MIT
// The judge of an exercise. judge.cpp or judge.cu in the exercise's folder says what to call and
// what is right; this page tries it. tools/exercises compiles both programs and runs them: first
// the one of the answer (answer.hpp), then this one, which reads what the answer has made.
#pragma once

#include "common/exercise/exercise.hpp"

#ifdef CONVOLAB_ANSWER
#include "common/exercise/answer.hpp"
#else
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "common/exercise/differences.hpp"
#include "common/exercise/plan.hpp"
#include "common/exercise/turns.hpp"

namespace convolab::exercise {

inline void say(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
}

template <class T>
std::string name_of(const Exercise<T>& exercise, const Input& in) {
    const std::string with = exercise.with ? exercise.with(in) : "";
    return name(in) + (with.empty() ? "" : ", " + with);
}

/// One with the sizes that it must have, else its turn is -1.
template <class T>
Record<T> record_for(const Exercise<T>& exercise, const Input& in, std::FILE* file) {
    Record<T> record;
    record.counted.resize(exercise.counts.size());
    record.out.resize(exercise.out_values ? exercise.out_values(in) : in.frame_samples());
    if (!read_record(file, record)) record.turn = -1;
    return record;
}

inline constexpr const char* kOtherRecord =
    "the judge's file has something that its program has not written; the answer writes to what "
    "it is given only.";

/// What is wrong with a record, or "".
template <class T>
std::string wrong_in(const Exercise<T>& exercise, const Drawn& drawn, const Input& in,
                     const Record<T>& record) {
    if (record.turn != drawn.turn) return kOtherRecord;
    std::string wrong;
    std::vector<T> expected(record.out.size());
    if (!record.keeps_input) {
        wrong = "The input was changed.";
    } else if (exercise.wrong) {
        wrong = exercise.wrong(in, record.out);
    } else {
        exercise.expected(in, expected);
        wrong = differences(in, rubbish_for(exercise, in, drawn), record.out, expected);
    }
    const char* const kind = drawn.is_impulse ? ", black except for one sample: " : ": ";
    return wrong.empty() ? "" : name_of(exercise, in) + kind + wrong;
}

/// Of the baseline, in seconds, for another picture of the same size.
template <class T>
double time_baseline(const Exercise<T>& exercise, Drawn drawn) {
    drawn.seed ^= 0x5a5a;
    const Input in = input_of(exercise, drawn);
    std::vector<T> out = rubbish_for(exercise, in, drawn);
    Stopwatch watch;
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    watch.start();
    exercise.baseline(in, out, watch);
    if (exercise.cpu_time) return seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
    if (!watch.stopped()) watch.stop();
    return watch.seconds();
}

/// The goals, for these pictures together.
template <class T>
void say_goals(const Exercise<T>& exercise, const std::vector<Drawn>& pictures) {
    if (exercise.times_as_fast > 0) say("time," + std::to_string(exercise.times_as_fast));
    for (const Drawn& drawn : pictures)
        say("in," + name_of(exercise, without_samples(drawn, exercise.channels)));
    for (const CountGoal& goal : exercise.counts) {
        double units = 0;
        for (const Drawn& drawn : pictures)
            if (goal.unit.of) units += goal.unit.of(without_samples(drawn, exercise.channels));
        const bool has_name = *goal.unit.name != 0;
        const double more = has_name || units == 0 ? 1 : units;
        std::ostringstream line;
        line << "count," << goal.kernel << ',' << goal.figure << ',' << goal.at_least * more << ','
             << (goal.at_most == kAny ? kAny : goal.at_most * more) << ',' << (has_name ? units : 1)
             << ',' << goal.unit.name;
        say(line.str());
    }
}

/// "judged" is the last line if each picture has a record, and nothing else is there: so a program
/// that ended early is not taken for a right one.
template <class T>
void judge_records(const Exercise<T>& exercise, const std::vector<Drawn>& pictures,
                   std::FILE* file) {
    std::vector<double> counted(exercise.counts.size());
    const auto at_end = [file] { return std::ungetc(std::fgetc(file), file) == EOF; };
    std::string wrong;
    for (const Drawn& drawn : pictures) {
        if (at_end()) return;
        const Input in = input_of(exercise, drawn);
        const Record<T> record = record_for(exercise, in, file);
        wrong = wrong_in(exercise, drawn, in, record);
        if (!wrong.empty()) break;
        for (std::size_t goal = 0; goal < counted.size(); ++goal)
            counted[goal] += record.counted[goal];
    }
    if (wrong.empty() && !at_end()) wrong = kOtherRecord;
    say(wrong.empty() ? "right" : "wrong: " + wrong);
    for (std::size_t i = 0; i < counted.size(); ++i)
        say("counted," + exercise.counts[i].kernel + ',' + exercise.counts[i].figure + ',' +
            std::to_string(counted[i]));
    say("judged");
}

/// A turn of the answer, and before it one of the baseline if there are times for it; what is
/// wrong, or "".
template <class T>
std::string take_turn(const Exercise<T>& exercise, const Drawn& drawn, Turns& turns,
                      std::vector<double>* baseline, std::vector<double>* answer) {
    if (!turns.is_ready(drawn.turn)) return turns.ending();
    if (baseline) baseline->push_back(time_baseline(exercise, drawn));
    const double seconds = turns.run();
    if (seconds < 0) return turns.ending();
    const Input in = input_of(exercise, drawn);
    const Record<T> record = record_for(exercise, in, turns.records());
    if (std::feof(turns.records())) return turns.ending();
#ifdef __CUDACC__
    if (answer) answer->push_back(record.seconds);  // without the copies
#else
    if (answer) answer->push_back(seconds);
#endif
    return wrong_in(exercise, drawn, in, record);
}

/// Baseline and answer take turns; each gets its own input, and each output is checked. They
/// have more turns while the goal is not reached: what else the machine does makes a time longer.
/// So the shortest time of each counts.
template <class T>
void judge_time(const Exercise<T>& exercise, const std::vector<Drawn>& pictures,
                const char* program, const char* seed) {
    std::vector<double> baseline, answer;
    Turns turns(program, seed, exercise.cpu_time);
    double ratio = 0;
    for (int turn = 0; turn + 1 < static_cast<int>(pictures.size()); ++turn) {
        if (turn >= exercise.timed_runs && ratio >= exercise.times_as_fast) break;
        const std::string wrong = take_turn(exercise, pictures[turn], turns, &baseline, &answer);
        if (!wrong.empty()) return say("wrong: " + wrong);
        ratio = *std::min_element(baseline.begin(), baseline.end()) /
                *std::min_element(answer.begin(), answer.end());
    }
    say("ratio," + std::to_string(ratio));
    const std::string wrong = ratio < exercise.times_as_fast
                                  ? ""
                                  : take_turn(exercise, pictures.back(), turns, nullptr, nullptr);
    say(wrong.empty() ? "judged" : "wrong: " + wrong);
}

/// `judge bytes SEED RECORDS`, `judge count SEED RECORDS` or `judge time SEED PROGRAM`.
template <class T>
int judge(int argc, char** argv, const Exercise<T>& exercise) {
    if (argc < 4) return 2;
    const std::string mode = argv[1];
    is_counted = mode == "count";
    const unsigned seed = std::stoul(argv[2]);
    const std::vector<Drawn> pictures = plan(exercise, mode, seed);
    say_goals(exercise, plan(exercise, "count", seed));
    if (mode == "time") {
        judge_time(exercise, pictures, argv[3], argv[2]);
    } else if (std::FILE* const file = std::fopen(argv[3], "rb")) {
        judge_records(exercise, pictures, file);
        std::fclose(file);
    }
    return 0;
}

}  // namespace convolab::exercise
#endif
