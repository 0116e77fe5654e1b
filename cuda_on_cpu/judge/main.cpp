// SPDX-License-Identifier: MIT
// judge NAME FINDINGS PROGRAM [ARGUMENT...]: runs a program that is built for `cuda-on-cpu check`
// with its threads in three orders, and shows its mistakes, and the compiler's in the file FINDINGS.
// Exit code: 0 none found, 1 some, 2 wrong usage.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "run.hpp"
#include "screen.hpp"

namespace cuda_on_cpu::judge {
namespace {

// The mistakes that several runs of a program have shown, each once.
class Findings {
  public:
    /// Takes those of the compiler, a line each; no file: none. A variable may be unset because of a
    /// mistake that is known.
    void take_compiled(const std::string& file);
    /// Takes the emulator's sentences out of what the program has written to stderr, and a signal.
    /// A mistake at lines that an earlier run has named is not a new one.
    void take(const RunResult& result);
    /// Both must be the same: `how` is what was different in the second run. A difference of two
    /// sums, such as the largest error, may be as small as their `rounding`.
    void compare(const RunResult& first, const RunResult& second, const std::string& how,
                 const std::string& advice, double rounding);
    /// Whether a finding is about memory that is read and was never written, or a note about such
    /// memory that is copied.
    bool has_unwritten() const;
    /// With other values there a program that does the same makes no mistake, and one that does
    /// something else does, if it is not one that never does the same twice.
    void decide_unwritten(const RunResult& first, const RunResult& other, bool is_repeatable);
    void print(const std::string& program) const;
    bool empty() const { return sentences_.empty(); }  ///< of mistakes

  private:
    /// A note or a mistake, unless all its lines are known; whether it is a mistake.
    bool take(const std::string& text, const std::set<std::string>& known_places);
    std::vector<std::string> sentences_, notes_;  // a note is no mistake
    std::set<std::string> places_;                // "lab.cu:12"
    int runs_ = 0;
};

bool is_failed_assert(const RunResult& result) {
    return result.signal == SIGABRT && result.errors.find(": Assertion `") != std::string::npos;
}

bool Findings::take(const std::string& text, const std::set<std::string>& known_places) {
    static const std::string note_mark = "note: ";
    const bool is_note = text.rfind(note_mark, 0) == 0;
    const std::string sentence = is_note ? text.substr(note_mark.size()) : text;
    std::vector<std::string>& all = is_note ? notes_ : sentences_;
    const std::vector<std::string> places = places_in(sentence);
    const bool is_known = std::find(all.begin(), all.end(), sentence) != all.end() ||
                          (!is_note && !places.empty() &&
                           std::all_of(places.begin(), places.end(), [&](const auto& place) {
                               return known_places.contains(place);
                           }));
    if (!is_known) all.push_back(sentence);
    if (!is_note) places_.insert(places.begin(), places.end());
    return !is_note;
}

void Findings::take_compiled(const std::string& file) {
    std::ifstream lines(file);
    const bool is_first = empty();
    for (std::string line; std::getline(lines, line);)
        if (is_first || line.find("uninitialized") == std::string::npos) take(line, {});
}

void Findings::take(const RunResult& result) {
    static const std::string mark = "CUDA on the CPU: ";
    const bool is_first = runs_++ == 0;
    const std::set<std::string> known_places = is_first ? std::set<std::string>() : places_;
    bool has_mistake = false;
    std::istringstream lines(result.errors);
    for (std::string line; std::getline(lines, line);)
        if (line.rfind(mark, 0) == 0) has_mistake |= take(line.substr(mark.size()), known_places);
    if (result.signal != 0 && !has_mistake && is_first && !is_failed_assert(result))
        sentences_.push_back("the program is ended by " + result.ending() +
                             ", in the host's code. Remedy: compile it with -Xcompiler "
                             "-fsanitize=address, and run it without check.");
}

void Findings::compare(const RunResult& first, const RunResult& second, const std::string& how,
                       const std::string& advice, double rounding) {
    if (!empty()) return;  // it follows from what is found
    std::string what = first_difference(first.output, second.output, 0);
    if (first.exit_code != second.exit_code)
        what = "it ends with " + second.ending() + ", not with " + first.ending();
    if (what.empty()) return;
    // `rounding` is 0 if the threads run in the same order.
    const bool is_of_order = rounding > 0 && first.exit_code == second.exit_code;
    std::string reason;
    if (is_of_order && first_difference(first.output, second.output, rounding).empty())
        reason = ". A sum of floats is rounded differently in another order, on a GPU, too.";
    else if (is_of_order && first.has_list)
        reason =
            ". If an atomic function hands out the places of a list, they are in another "
            "order in each run, on a GPU, too.";
    const auto is_known = [&](const std::string& note) {
        return note.find(reason) != std::string::npos;
    };
    if (!reason.empty()) {
        if (std::none_of(notes_.begin(), notes_.end(), is_known))
            notes_.push_back(how + " " + what + reason);
    } else {  // after all, a race of which a note said that it may do no harm
        const auto race = std::find_if(notes_.begin(), notes_.end(), [](const std::string& note) {
            return note.rfind("a race in ", 0) == 0;
        });
        what = "the program does something else " + how + ": " + what + ". ";
        sentences_.push_back(race == notes_.end() ? what + advice : *race + " T" + what.substr(1));
    }
}

bool is_read(const std::string& sentence) {
    return sentence.find(", which was never written") != std::string::npos ||
           sentence.find(", which no thread of the block has") != std::string::npos;
}
bool is_copied(const std::string& note) {
    return note.find("it has not written") != std::string::npos ||
           note.find("to the host that was never written") != std::string::npos;
}

bool Findings::has_unwritten() const {
    return std::any_of(sentences_.begin(), sentences_.end(), is_read) ||
           std::any_of(notes_.begin(), notes_.end(), is_copied);
}

bool has_same_results(const RunResult& first, const RunResult& second) {
    return !is_different(first, second) && first.results == second.results;
}

void Findings::decide_unwritten(const RunResult& first, const RunResult& other,
                                bool is_repeatable) {
    if (empty() && is_different(first, other) && is_repeatable)
        for (const std::string& note : notes_) {
            if (is_copied(note)) sentences_.push_back(note);
        }
    if (has_same_results(first, other)) std::erase_if(sentences_, is_read);
}

void Findings::print(const std::string& program) const {
    constexpr std::size_t limit = 6;  // one screen
    if (empty()) {
        print_wrapped("", program + ": nothing found, with the threads in three orders.");
        for (const std::string& note : notes_) print_note(note, is_copied(note));
        print_wrapped(
            "",
            "Not looked for: whether the results are right; how fast it is; what this input does "
            "not reach; an array on the host's stack that is too small for a copy; most copies of "
            "too few bytes; races of the host's "
            "threads; an index that is wrong but inside of the same memory.");
        return;
    }
    print_wrapped("", program + ": " + std::to_string(sentences_.size()) +
                          (sentences_.size() == 1 ? " mistake." : " mistakes."));
    for (std::size_t i = 0; i < sentences_.size() && i < limit; ++i)
        print_finding(i + 1, sentences_[i]);
    if (sentences_.size() > limit)
        print_wrapped("", "The others may follow from these; correct them first.");
}

// The program's input, for each run anew; -1 if somebody types it.
int keep_input() {
    if (isatty(0) != 0) return -1;
    const int file = memfd_create("input", 0);
    char part[4096];
    for (ssize_t count; (count = read(0, part, sizeof part)) > 0;)
        if (write(file, part, static_cast<std::size_t>(count)) != count)
            throw std::runtime_error(std::string("cannot keep the input: ") + std::strerror(errno));
    return file;
}

bool never_ends(const RunResult& result) {
    return result.errors.find("(CUDA_ON_CPU_TIMEOUT)") != std::string::npos;
}

// Of the processor, by the runs that have ended.
long milliseconds_of_runs() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000;
}

// Its input is what the program reads; the shadow takes up to 100 times as long as the program.
RunResult run(const std::vector<std::string>& arguments, int input, const char* order,
              const char* zeros, bool shadow) {
    static const bool is_chosen = std::getenv("CUDA_ON_CPU_TIMEOUT") != nullptr;
    const long limit = shadow ? std::clamp(milliseconds_of_runs() / 10, 10L, 100L) : 10;
    if (!is_chosen) setenv("CUDA_ON_CPU_TIMEOUT", std::to_string(limit).c_str(), 1);
    static std::map<std::string, int> runs;  // of each order
    return run_program(arguments,
                       {{"CUDA_ON_CPU_RUN", std::to_string(++runs[order])},
                        {"CUDA_ON_CPU_ORDER", order},
                        {"CUDA_ON_CPU_ZEROS", zeros},
                        {"CUDA_ON_CPU_WATCH", shadow ? "1" : "0"}},
                       input);
}

// The mistakes that the runs show. After a kernel that never ends, no other run is waited for.
void compare_runs(const std::vector<std::string>& arguments, const std::string& compiled,
                  Findings& findings, RunResult& first) {
    const int input = keep_input();
    const auto reverse = run(arguments, input, "reverse", "1", false);
    first = never_ends(reverse) ? reverse : run(arguments, input, "forward", "0", true);
    findings.take(first);
    findings.take_compiled(compiled);
    if (never_ends(first)) return;
    // A program with the time as its seed does something else each time.
    const auto is_repeatable = [&] {
        return !is_different(first, run(arguments, input, "forward", "0", true));
    };
    if (findings.has_unwritten()) {
        auto other = run(arguments, input, "forward", "1", true);
        if (has_same_results(first, other)) other = run(arguments, input, "forward", "2", true);
        findings.decide_unwritten(
            first, other, findings.empty() && is_different(first, other) && is_repeatable());
    }
    const auto compare = [&](const RunResult& next, const std::string& how) {
        if (findings.empty()) findings.take(next);  // the rest would follow from what is found
        if (!findings.empty() || !is_different(first, next) || !is_repeatable()) return;
        findings.compare(first, run(arguments, input, "forward", "1", true),
                         "if memory that was never written is 0",
                         "Causes: a local variable without a value: int bins[4] = {}; | device or "
                         "shared memory that a kernel adds to, and that was not set to 0 | a copy "
                         "or a kernel that fills too little",
                         0);
        findings.compare(
            first, next, "with its threads and streams in " + how,
            "Causes: threads that use what others write, without a barrier or an atomic "
            "function | a result that depends on which thread comes first, such as "
            "the place in a list",
            1e-3 * std::max(first.largest_sum, 0.01));
    };
    compare(reverse, "reverse order and memory full of zeros");
    compare(run(arguments, input, "random", "0", false), "random order");
}

// The last two, which may say FAIL.
std::string last_lines(const std::string& text) {
    std::istringstream lines(text);
    std::string before, last;
    for (std::string line; std::getline(lines, line); last = line + '\n') before = last;
    return before + last;
}

int judge(const std::string& name, const std::string& compiled,
          const std::vector<std::string>& arguments) {
    setenv("CUDA_ON_CPU_RESULTS", "1", 1);
    Findings findings;
    RunResult first;
    compare_runs(arguments, compiled, findings, first);
    findings.print(name);
    if (findings.empty() && first.exit_code != 0)
        std::printf("But it ends with %s and says:\n%s%s", first.ending().c_str(),
                    first.output.c_str(), first.errors.c_str());
    else if (findings.empty() && !first.output.empty())
        std::printf("The program's output ends with:\n%s", last_lines(first.output).c_str());
    return findings.empty() ? 0 : 1;
}

}  // namespace
}  // namespace cuda_on_cpu::judge

int main(int count, char** arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: %s NAME FINDINGS PROGRAM [ARGUMENT...]\n", arguments[0]);
        return 2;
    }
    try {
        return cuda_on_cpu::judge::judge(arguments[1], arguments[2],
                                         {arguments + 3, arguments + count});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cuda-on-cpu check: %s\n", error.what());
        return 1;
    }
}
