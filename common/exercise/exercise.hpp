// SPDX-License-Identifier: MIT
// What an exercise is. judge.cpp or judge.cu in its folder is compiled twice: with CONVOLAB_ANSWER
// for the program that calls the answer, and which does not know what is right; without it for the
// program that says whether the answer is right, and in which no line of the answer runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "common/exercise/input.hpp"

namespace convolab::exercise {

/// Where tools/exercises looks for it; "" while the judge measures.
inline std::string complaints;

/// A variable of the answer that could contain a picture, but none that is larger.
inline const char* large_variable = nullptr;
/// What an answer may allocate for the picture that it has.
inline std::size_t most_bytes = 0;

/// Writes why the answer is wrong and ends its program.
[[noreturn]] inline void complain(const std::string& sentence) {
    if (std::FILE* const file = std::fopen(complaints.c_str(), "a")) {
        std::fprintf(file, "wrong: %s\n", sentence.c_str());
        std::fclose(file);
    }
    std::_Exit(1);
}

/// Measures what lies between start() and stop(); the whole call, if they are not called.
class Stopwatch {
  public:
    void start() { begin_ = Clock::now(); }
    void stop() { seconds_ = std::chrono::duration<double>(Clock::now() - begin_).count(); }
    bool stopped() const { return seconds_ >= 0; }
    double seconds() const { return seconds_; }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
    double seconds_ = -1;
};

inline constexpr double kAny = std::numeric_limits<double>::infinity();

/// So a goal holds for every size: a figure is divided by its unit; one without a name multiplies
/// the goal.
struct Unit {
    const char* name = "";
    double (*of)(const Input&) = nullptr;
};
inline double warps(std::size_t threads) {
    const std::size_t rounded_up = (threads + 31) / 32;
    return double(rounded_up);
}
inline constexpr Unit kPerRowWarp = {" for each 32 pixels of a row",
                                     [](const Input& in) { return warps(in.width) * in.height; }};
inline constexpr Unit kPerWarp = {" for each 32 pixels", [](const Input& in) {
                                      return warps(std::size_t(in.width) * in.height);
                                  }};
inline constexpr Unit kPerPicture = {" for each picture", [](const Input&) { return 1.0; }};

/// A figure of `cuda-on-cpu count` for a kernel, "sectors per request" of `brighten`, or its sum
/// over "all kernels", or one that the program of the answer counts itself (`counted`).
struct CountGoal {
    std::string kernel, figure;
    double at_most, at_least = 0;
    Unit unit = {};
};

/// Whether counts are wanted: `cuda-on-cpu count` runs this program, or it counts itself.
inline bool is_counted = false;

/// More bytes than an answer needs for the picture that it has, even in rows of a pitch. Who
/// allocates more has one size of picture in mind.
inline std::size_t too_many_bytes(const Input& in) {
    return 65536 + 64 * in.samples.size() + std::size_t(1024) * in.height;
}

/// What is left out of one of the two programs: not even its code is there.
struct LeftOut {
    consteval LeftOut() = default;
    template <class Function>
    consteval LeftOut(const Function&) {}
};
#ifdef CONVOLAB_ANSWER
template <class Function>
using OfAnswer = std::function<Function>;
template <class Function>
using OfJudge = LeftOut;
#else
template <class Function>
using OfAnswer = LeftOut;
template <class Function>
using OfJudge = std::function<Function>;
#endif

/// An exercise whose answer writes values of type T.
template <class T>
struct Exercise {
    /// Calls the student's function. `out` has its size, and contains rubbish.
    OfAnswer<void(const Input&, std::vector<T>& out, Stopwatch&)> answer;
    /// What is right, in plain loops.
    OfJudge<void(const Input&, std::vector<T>& out)> expected = {};
    /// In the place of `expected`: what is wrong with an output, or "".
    OfJudge<std::string(const Input&, const std::vector<T>& out)> wrong = {};

    int channels = 1;
    int frames = 1;
    /// Values of the output; without it as many as a frame has samples.
    std::function<std::size_t(const Input&)> out_values = {};
    /// The pictures' sizes, where they are not those of `plan.hpp`.
    std::function<std::vector<Size>(std::mt19937&)> sizes = {};
    /// What else a picture is tried with, "11 threads".
    std::function<std::string(const Input&)> with = {};

    /// The goal on a CPU, or on a GPU: how many times as fast as `baseline` the answer is.
    OfJudge<void(const Input&, std::vector<T>& out, Stopwatch&)> baseline = {};
    /// A line "// Timed with -fflag: why" of the judge's page compiles the answer with that flag.
    double times_as_fast = 0;
    /// The CPU time of all threads, on one CPU, because other programs disturb it less than the time
    /// that passes.
    bool cpu_time = false;
    std::function<Size(std::mt19937&)> timed = {};
    int timed_runs = 5;
    /// The goals of a CUDA exercise without a GPU, or of one that the program of the answer counts.
    std::vector<CountGoal> counts = {};
    OfAnswer<double(const CountGoal&)> counted = {};
    /// Sizes in which counts are taken; those that are drawn have up to half as many pixels more.
    std::vector<Size> counted_sizes = {{130, 67}, {420, 21}};
};

template <class T>
Input input_of(const Exercise<T>& exercise, const Drawn& drawn) {
    return make_input(drawn, exercise.channels, exercise.frames);
}

template <class T>
std::vector<T> rubbish_for(const Exercise<T>& exercise, const Input& in, const Drawn& drawn) {
    return rubbish<T>(exercise.out_values ? exercise.out_values(in) : in.frame_samples(),
                      drawn.seed);
}

}  // namespace convolab::exercise
