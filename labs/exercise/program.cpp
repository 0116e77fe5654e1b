// SPDX-License-Identifier: MIT
// What both programs of an exercise do, beside the judge's page.
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <limits>
#include <sstream>
#include <string_view>

#include "labs/exercise/differences.hpp"
#include "labs/exercise/pictures.hpp"

namespace convolab::exercise {

bool is_counted = false;
bool writes_records = true;
Stopwatch stopwatch;

static double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

void Stopwatch::start(clockid_t clock) {
    clock_ = clock;
    is_running_ = true;
    begin_ = seconds_of(clock_);
}

void Stopwatch::stop() {
    if (is_running_) seconds_ = seconds_of(clock_) - begin_;
    is_running_ = false;
}

/// What the answer's program tells the judge of a picture.
struct Record {
    std::int64_t keeps_input = 0;
    double ratio = 0;             ///< how many times as fast as the baseline
    std::vector<double> counted;  ///< for each goal
    Values out;
};

template <class T>
static void write(std::FILE* file, const T* values, std::size_t count = 1) {
    std::fwrite(values, sizeof(T), count, file);
}

template <class T>
static bool read(std::FILE* file, T* values, std::size_t count = 1) {
    return std::fread(values, sizeof(T), count, file) == count;
}

// ---- the answer's program ----------------------------------------------------------------------

/// Where tools/exercises looks for what complain() writes.
static std::string complaints;

void complain(const std::string& sentence) {
    if (std::FILE* const file = std::fopen(complaints.c_str(), "a")) {
        std::fprintf(file, "wrong: %s\n", sentence.c_str());
        std::fclose(file);
    }
    std::_Exit(1);
}

/// Threads on several CPUs wait for the other's cache, which depends on how busy those CPUs are.
static void stay_on_this_cpu() {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(sched_getcpu(), &cpus);
    static_cast<void>(sched_setaffinity(0, sizeof cpus, &cpus));
}

/// Baseline and answer take turns, and more of them while the goal is not reached: what else the
/// machine does makes a time longer. So the shortest time of each counts.
static double ratio_of_times(const Exercise& exercise, const Drawn& drawn, const Input& in) {
    stay_on_this_cpu();
    double baseline = std::numeric_limits<double>::infinity(), answer = baseline;
    for (int turn = 0; turn < 5 || (turn < 15 && baseline < exercise.times_as_fast * answer);
         ++turn) {
        Values out = garbage_for(exercise, drawn);
        exercise.baseline(in, out);
        baseline = std::min(baseline, stopwatch.seconds());
        exercise.answer(in, out);
        answer = std::min(answer, stopwatch.seconds());
    }
    return baseline / answer;
}

/// A record for each picture.
static void answer_all(const Exercise& exercise, const std::string& mode,
                       const std::vector<Drawn>& pictures, std::string path) {
    complaints = path + ".wrong";
    // `check` runs the program in other orders, too, to find what the usual one hides.
    const char* const order = std::getenv("CUDA_ON_CPU_ORDER");
    if (order != nullptr && std::string_view(order) != "forward") path += std::string(".") + order;
    const char* const run = std::getenv("CUDA_ON_CPU_RUN");  // check repeats some, to be sure
    if (run != nullptr && std::string_view(run) != "1") path += ".again";
    std::FILE* const file = writes_records ? std::fopen(path.c_str(), "wb") : nullptr;
    for (const Drawn& drawn : pictures) {
        const Input in = input_of(exercise, drawn);
        Record record;
        if (mode == "time") record.ratio = ratio_of_times(exercise, drawn, in);
        record.out = garbage_for(exercise, drawn);
        exercise.answer(in, record.out);
        for (const CountGoal& goal : exercise.counts)
            record.counted.push_back(exercise.counted ? exercise.counted(goal) : 0);
        record.keeps_input = in.samples == input_of(exercise, drawn).samples;
        if (file == nullptr) continue;
        write(file, &record.keeps_input);
        write(file, &record.ratio);
        write(file, record.counted.data(), record.counted.size());
        write(file, record.out.data(), record.out.size());
        std::fflush(file);
    }
    if (file != nullptr) std::fclose(file);
}

// ---- the judge ---------------------------------------------------------------------------------

static void say(const std::string& line) { std::puts(line.c_str()); }

static std::string name_of(const Exercise& exercise, const Input& in) {
    const std::string with = exercise.with ? exercise.with(in) : "";
    return name(in) + (with.empty() ? "" : ", " + with);
}

/// The goals, and the picture that is counted.
static void say_goals(const Exercise& exercise, const Input& in) {
    if (exercise.times_as_fast > 0) say("time," + std::to_string(exercise.times_as_fast));
    say("in," + name_of(exercise, in));
    for (const CountGoal& goal : exercise.counts) {
        const double units = goal.unit.of ? goal.unit.of(in) : 1;
        const bool has_name = *goal.unit.name != 0;
        std::ostringstream line;
        line << "count," << goal.figure << ',' << goal.at_most * (has_name ? 1 : units) << ','
             << (has_name ? units : 1) << ',' << goal.unit.name << ',' << goal.if_none;
        say(line.str());
    }
}

/// What is wrong with a record, or "".
static std::string wrong_in(const Exercise& exercise, const Drawn& drawn, const Record& record) {
    const Input in = input_of(exercise, drawn);
    std::string wrong;
    if (!record.keeps_input) {
        wrong = "The input was changed.";
    } else if (exercise.wrong) {
        wrong = exercise.wrong(in, record.out);
    } else {
        Values expected(record.out.size());
        exercise.expected(in, expected);
        wrong = differences(in, garbage_for(exercise, drawn), record.out, expected);
        if (exercise.explain && !wrong.empty()) wrong += exercise.explain(in, record.out, expected);
    }
    const char* const kind = drawn.kind == Kind::impulse      ? ", black except for one sample: "
                             : drawn.kind == Kind::all_change ? ", every pixel changed: "
                                                              : ": ";
    return wrong.empty() ? "" : name_of(exercise, in) + kind + wrong;
}

/// "judged" is the last line if a picture is wrong or each has a record: so a program that ended
/// early is not taken for a right one.
static void judge_all(const Exercise& exercise, const std::vector<Drawn>& pictures,
                      std::FILE* file) {
    std::vector<double> counted(exercise.counts.size());
    std::string wrong;
    for (const Drawn& drawn : pictures) {
        Record record;
        record.counted.resize(counted.size());
        record.out = garbage_for(exercise, drawn);
        if (!read(file, &record.keeps_input) || !read(file, &record.ratio) ||
            !read(file, record.counted.data(), record.counted.size()) ||
            !read(file, record.out.data(), record.out.size()))
            return;
        wrong = wrong_in(exercise, drawn, record);
        if (!wrong.empty()) break;
        for (std::size_t goal = 0; goal < counted.size(); ++goal)
            counted[goal] += record.counted[goal];
        if (record.ratio > 0) say("ratio," + std::to_string(record.ratio));
    }
    if (!wrong.empty()) say("wrong: " + wrong);
    for (std::size_t i = 0; i < counted.size(); ++i)
        say("counted," + exercise.counts[i].figure + ',' + std::to_string(counted[i]));
    say("judged");
}

int judge(int argc, char** argv, const Exercise& exercise) {
    if (argc != 4) return 2;
    const std::string mode = argv[1];
    const auto seed = static_cast<unsigned>(std::stoul(argv[2]));
    is_counted = mode == "count";
    const std::vector<Drawn> pictures = pictures_for(exercise, mode, seed);
    if (exercise.answer) {
        answer_all(exercise, mode, pictures, argv[3]);
        return 0;
    }
    say_goals(exercise, blank(exercise, pictures_for(exercise, "count", seed)[0]));
    if (std::FILE* const file = std::fopen(argv[3], "rb")) {
        judge_all(exercise, pictures, file);
        std::fclose(file);
    }
    return 0;
}

}  // namespace convolab::exercise
