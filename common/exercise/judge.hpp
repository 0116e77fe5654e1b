// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The judge of an exercise. judge.cpp or judge.cu in the exercise's folder says what to call and
// what is right; this page tries it. tools/exercises compiles both and runs the program.
#pragma once

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "common/exercise/differences.hpp"
#include "common/exercise/input.hpp"
#include "common/exercise/say.hpp"
#include "common/exercise/stopwatch.hpp"

namespace convolab::exercise {

inline constexpr double kAny = std::numeric_limits<double>::infinity();

/// A figure of `cuda-on-cpu count` for a kernel, "sectors per request" of `brighten`, or its sum
/// over "all kernels". Without CUDA the judge counts (`counted`).
struct CountGoal {
    std::string kernel, figure;
    double at_most, at_least = 0;
};

/// An exercise whose answer writes values of type T.
template <class T>
struct Exercise {
    using Function = std::function<void(const Input&, std::vector<T>& out, Stopwatch&)>;
    /// Calls the student's function. `out` has its size, and contains rubbish.
    Function answer;
    /// What is right, in plain loops.
    std::function<void(const Input&, std::vector<T>& out)> expected;

    std::vector<Size> sizes = {{37, 23}, {130, 67}, {5, 3}, {517, 41}};
    int channels = 1;
    int frames = 1;
    /// Values of the output; without it as many as a frame has samples.
    std::function<std::size_t(const Input&)> out_values = {};

    /// The goal on a CPU, or on a GPU: `baseline` takes so many times as long as the answer.
    Function baseline = {};
    double times_as_fast = 0;
    /// The CPU time of all threads, which other programs disturb less, not the time that passes.
    bool cpu_time = false;
    Size timed = {3840, 2160};
    /// The goals of a CUDA exercise without a GPU, or of one that the judge counts.
    std::vector<CountGoal> counts = {};
    std::function<double(const CountGoal&)> counted = {};
};

/// Runs `function` on `in` and says what is wrong with its output, or "".
template <class T>
std::string run_once(const Exercise<T>& exercise, const typename Exercise<T>::Function& function,
                     const Input& in, unsigned seed, double* seconds = nullptr) {
    std::vector<T> out(exercise.out_values ? exercise.out_values(in) : in.frame_samples());
    std::vector<T> expected(out.size());
    exercise.expected(in, expected);
    std::mt19937 draw(seed + 1);
    for (T& value : out) value = static_cast<T>(draw() >> 8);
    const std::vector<T> rubbish = out;

    Input given = in;
    Stopwatch whole, own;
    const std::clock_t begin = std::clock();
    function(given, out, own);
    whole.stop();
    if (seconds)
        *seconds = exercise.cpu_time ? double(std::clock() - begin) / CLOCKS_PER_SEC
                   : own.stopped()   ? own.seconds()
                                     : whole.seconds();
    if (given.samples != in.samples) return "The input was changed.";
    return differences(in, rubbish, out, expected);
}

inline std::string name(const Input& in) {
    return std::to_string(in.width) + " x " + std::to_string(in.height);
}

/// All sizes with this seed and the next one, and an impulse.
template <class T>
void judge_bytes(const Exercise<T>& exercise, unsigned seed) {
    for (const Size size : exercise.sizes)
        for (int kind = 0; kind < 3; ++kind) {
            const Input in =
                kind == 2 ? impulse_input(size, exercise.channels, exercise.frames)
                          : random_input(size, exercise.channels, exercise.frames, seed + kind);
            const std::string wrong = run_once(exercise, exercise.answer, in, seed + kind);
            if (wrong.empty()) continue;
            return say("wrong: " + name(in) +
                       (kind == 2 ? ", black but for one sample: " : ", random: ") + wrong);
        }
    say("right");
}

/// One picture, for `cuda-on-cpu count`, or with the judge's own counts.
template <class T>
void judge_counts(const Exercise<T>& exercise, unsigned seed) {
    const Input in = random_input(exercise.sizes.at(1), exercise.channels, exercise.frames, seed);
    const std::string wrong = run_once(exercise, exercise.answer, in, seed);
    if (!wrong.empty()) return say("wrong: " + name(in) + ": " + wrong);
    if (!exercise.counted) return;
    for (const CountGoal& goal : exercise.counts) {
        std::ostringstream line;
        line << "counted," << goal.kernel << ',' << goal.figure << ',' << exercise.counted(goal);
        say(line.str());
    }
}

/// Baseline and answer take turns; each run has an input of its own, and its output is checked.
template <class T>
void judge_time(const Exercise<T>& exercise, unsigned seed) {
    std::vector<double> baseline, answer;
    for (unsigned run = 0; run < 7; ++run)
        for (const bool is_answer : {false, true}) {
            const Input in = random_input(exercise.timed, exercise.channels, exercise.frames,
                                          seed + 2 * run + is_answer);
            double seconds = 0;
            const std::string wrong = run_once(
                exercise, is_answer ? exercise.answer : exercise.baseline, in, run, &seconds);
            if (!wrong.empty()) return say("wrong: " + name(in) + ", while timed: " + wrong);
            (is_answer ? answer : baseline).push_back(seconds);
        }
    // The shortest time of each: what else the machine does only makes a time longer.
    say("ratio," + std::to_string(*std::min_element(baseline.begin(), baseline.end()) /
                                  *std::min_element(answer.begin(), answer.end())));
}

/// `judge bytes SEED`, `judge count SEED` or `judge time SEED`. Its last line is "judged", so a
/// program that ended early is not taken for a right one.
template <class T>
int judge(int argc, char** argv, const Exercise<T>& exercise) {
    const std::string mode = argc > 1 ? argv[1] : "bytes";
    const unsigned seed = argc > 2 ? std::stoul(argv[2]) : 1;
    say("begun");
    if (exercise.times_as_fast > 0) say("time," + std::to_string(exercise.times_as_fast));
    for (const CountGoal& goal : exercise.counts) {
        std::ostringstream line;
        line << "count," << goal.kernel << ',' << goal.figure << ',' << goal.at_least << ','
             << goal.at_most;
        say(line.str());
    }
    (mode == "count"  ? judge_counts<T>
     : mode == "time" ? judge_time<T>
                      : judge_bytes<T>)(exercise, seed);
    say("judged");
    return 0;
}

}  // namespace convolab::exercise
