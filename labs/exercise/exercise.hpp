// SPDX-License-Identifier: MIT
// What an exercise is. judge.cpp or judge.cu in its folder describes it, and is compiled twice: with
// CONVOLAB_ANSWER for the program that calls the answer and writes down what became of the pictures;
// without it for the judge, which compares that with what is right. So the judge has its word even
// if the answer crashes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "labs/exercise/input.hpp"

namespace convolab::exercise {

/// Ends the program of the answer with this sentence about it.
[[noreturn]] void complain(const std::string& sentence);
inline void require(bool is_right, const char* sentence) {
    if (!is_right) complain(sentence);
}

/// Measures the call of an answer: CPU time of all its threads, which other programs disturb less
/// than the time that passes.
class Stopwatch {
  public:
    void start(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID);
    /// Unless it is stopped.
    void stop();
    double seconds() const { return seconds_; }

  private:
    clockid_t clock_ = CLOCK_PROCESS_CPUTIME_ID;
    double begin_ = 0, seconds_ = 0;
    bool is_running_ = false;
};
extern Stopwatch stopwatch;

using Values = std::vector<std::int64_t>;

/// A function of a judge's page that writes an output, with values of any type.
class Function {
  public:
    constexpr Function() = default;
    template <class T>
    Function(void (*function)(const Input&, std::vector<T>&))
        : function_(reinterpret_cast<void (*)()>(function)), call_(call<T>) {}

    explicit operator bool() const { return call_ != nullptr; }
    void operator()(const Input& in, Values& out) const { call_(function_, in, out); }

  private:
    template <class T>
    static void call(void (*function)(), const Input& in, Values& out) {
        std::vector<T> values(out.begin(), out.end());
        stopwatch.start();
        reinterpret_cast<void (*)(const Input&, std::vector<T>&)>(function)(in, values);
        stopwatch.stop();
        out.assign(values.begin(), values.end());
    }

    void (*function_)() = nullptr;
    void (*call_)(void (*)(), const Input&, Values&) = nullptr;
};

/// The function that calls the answer. In the judge nothing is left of it: that is linked without an
/// answer.
class Answer : public Function {
  public:
#ifdef CONVOLAB_ANSWER
    using Function::Function;
#else
    template <class T>
    [[gnu::always_inline]] Answer(void (*)(const Input&, std::vector<T>&)) {}
#endif
};

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

/// A figure of `cuda-on-cpu count`, of all kernels together, such as "sectors per request", or one
/// that the program of the answer counts itself (`counted`).
struct CountGoal {
    std::string figure;
    double at_most;
    Unit unit = {};
    const char* if_none = "";  ///< what is said if the figure is 0, where it must not be
};

/// Whether counts are wanted: `cuda-on-cpu count` runs this program, or it counts itself.
extern bool is_counted;

struct Exercise {
    /// Calls the student's function. The output has its size, and holds anything.
    Answer answer;
    /// What is right, in plain loops.
    Function expected = {};
    /// In the place of `expected`: what is wrong with an output, or "".
    std::string (*wrong)(const Input&, const Values& out) = nullptr;
    /// What else can be said of an output that is not the expected one, or "".
    std::string (*explain)(const Input&, const Values& out, const Values& expected) = nullptr;

    int channels = 1;
    int frames = 1;
    /// Values of the output; without it as many as a frame has samples.
    std::size_t (*out_values)(const Input&) = nullptr;
    /// The pictures' sizes, where they are not those of `any_sizes`.
    std::vector<Size> (*sizes)(Draw&) = nullptr;
    /// What else a picture is tried with, "11 threads".
    std::string (*with)(const Input&) = nullptr;

    /// The goal on a CPU, or on a GPU: how many times as fast as `baseline` the answer is. A line
    /// "// Timed with -fflag: why" of the judge's page compiles both with that flag.
    Function baseline = {};
    double times_as_fast = 0;
    Size (*timed)(Draw&) = nullptr;
    /// The goals of a CUDA exercise without a GPU, or of one that the program of the answer counts.
    std::vector<CountGoal> counts = {};
    double (*counted)(const CountGoal&) = nullptr;
    /// All usual blocks and tiles fit into it, so a goal does not depend on a remainder.
    Size counted_size = {256, 64};
};

/// Also 1 wide, 1 high, of 1 to 3 pixels, and larger in one direction than the labs' pictures: arrays and grids for a
/// fixed size are too small for one of them.
std::vector<Size> any_sizes(Draw& draw);

/// main() of both programs: `answer MODE SEED RECORDS`, then `judge MODE SEED RECORDS`. MODE is
/// bytes, races, count or time.
int judge(int argc, char** argv, const Exercise& exercise);

/// Whether this process of the answer writes the records: with MPI one rank does.
extern bool writes_records;

}  // namespace convolab::exercise
