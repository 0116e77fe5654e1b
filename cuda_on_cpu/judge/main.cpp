// SPDX-License-Identifier: MIT
// judge NAME COMPILED PROGRAM [ARGUMENT...]: runs a program that is built for `cuda-on-cpu check`
// with its threads in three orders, and shows its mistakes, and the compiler's, records in the file
// COMPILED. judge --once NAME PROGRAM [ARGUMENT...]: runs it once, as it is set, and shows its output.
// Exit code: 0 none found, 1 some, 2 wrong usage, 3 the emulator cannot check it.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "input.hpp"
#include "run.hpp"
#include "screen.hpp"

namespace cuda_on_cpu::judge {
namespace {

bool is_unwritten(const Finding& finding) {
    for (const Kind kind : {Kind::unwritten, Kind::unwritten_part, Kind::partly_filled,
                            Kind::rows_filled_as_one, Kind::unwritten_shared, Kind::unset_shared})
        if (finding.kind == kind) return true;
    return false;
}
bool is_unwritten_copy(const Finding& finding) {
    return finding.kind == Kind::not_written || finding.kind == Kind::copied_unwritten;
}
bool is_race_or_not(const Finding& finding) {
    for (const Kind kind : {Kind::race_beside_atomics, Kind::race_of_one_value,
                            Kind::race_of_kept_value, Kind::race_of_flag})
        if (finding.kind == kind) return true;
    return false;
}

// What several runs of a program have shown, each once.
class Findings {
  public:
    /// Takes those of the compiler; no file: none. A variable may be unset because of a mistake
    /// that is known.
    void take_compiled(const std::string& file);
    /// Takes the emulator's, and a signal. A mistake at places that an earlier run has named is not
    /// a new one.
    void take(const RunResult& result);
    /// Both must be the same: `how` is what was different in the second run. A difference of two
    /// sums, such as the largest error, may be as small as their `rounding`.
    void compare(const RunResult& first, const RunResult& second, Kind kind, const std::string& how,
                 double rounding);
    /// Whether a finding is about memory that is read and was never written, or a note about such
    /// memory that is copied.
    bool has_unwritten() const;
    /// Whether a note is about a race that may do harm or not.
    bool has_open_race() const { return std::any_of(notes_.begin(), notes_.end(), is_race_or_not); }
    /// With other values there a program that does the same makes no mistake, and one that does
    /// something else does, if it is not one that never does the same twice.
    void decide_unwritten(const RunResult& first, const RunResult& other, bool is_repeatable);
    void print(const std::string& program, const std::string& how) const;
    /// Writes all into the file, for who has asked for records: each with its prose, but
    /// not the remedy, in a last field, whose lines end with ASCII 30.
    void write(const char* file) const;
    bool empty() const { return mistakes_.empty(); }
    bool has_limit() const { return !limits_.empty(); }

  private:
    /// Takes a finding, unless all its places are known.
    void take(const Finding& finding, const std::set<std::string>& known_places);
    void add(Weight weight, Finding finding) {
        finding.weight = weight;
        take(finding, {});
    }
    std::vector<Finding> mistakes_, notes_, limits_;
    std::set<std::string> places_;
    int runs_ = 0;
};

bool is_failed_assert(const RunResult& result) {
    return result.signal == SIGABRT && result.errors.find(": Assertion `") != std::string::npos;
}

void Findings::take(const Finding& finding, const std::set<std::string>& known_places) {
    std::vector<Finding>& all = finding.weight == Weight::note    ? notes_
                                : finding.weight == Weight::limit ? limits_
                                                                  : mistakes_;
    std::vector<std::string> places = finding.places;
    if (!finding.launch.empty()) places.push_back(finding.launch);
    const auto is_known_place = [&](const auto& place) { return known_places.contains(place); };
    const bool is_known = std::any_of(all.begin(), all.end(), [&](const Finding& known) {
        const bool is_of_other_thread = finding.weight == Weight::note && !places.empty() &&
                                        known.kind == finding.kind &&
                                        known.places == finding.places;
        return known.text == finding.text || is_of_other_thread;
    });
    const bool is_mistake = &all == &mistakes_;
    if (!is_known && !(is_mistake && !places.empty() &&
                       std::all_of(places.begin(), places.end(), is_known_place))) {
        all.push_back(finding);
        all.back().take_advice();
    }
    if (is_mistake) places_.insert(places.begin(), places.end());
}

void Findings::take_compiled(const std::string& file) {
    std::ifstream lines(file);
    const bool is_first = empty();
    for (std::string line; std::getline(lines, line);)
        if (const auto finding = Finding::of(line)) {
            if (finding->kind == Kind::dangling)  // which the compiler makes null
                std::erase_if(mistakes_, [](const Finding& known) {
                    return known.kind == Kind::null_pointer || known.kind == Kind::unset_pointer;
                });
            if (is_first || finding->kind != Kind::uninitialized) take(*finding, {});
        }
}

// What a program that ends by abort() has said last: of an exception, of glibc's, or its own.
Finding abortion(const RunResult& result) {
    const std::string begin = "terminate called ";
    const auto at = result.errors.rfind(begin);
    std::istringstream lines(at == std::string::npos ? result.errors : result.errors.substr(at));
    std::string said;
    for (std::string line; std::getline(lines, line);)
        if (at == std::string::npos)
            said = line.empty() ? said : line;
        else if (said.empty() || line.find("what(): ") != std::string::npos)
            said += line;
    if (at != std::string::npos) {
        std::string what =
            said.substr(begin.size());  // "after throwing an instance of 'T'  what():  "
        if (const auto from = what.find('\''), to = what.find('\'', from + 1);
            to != std::string::npos)
            what = what.substr(from + 1, to - from - 1) +
                   (what.size() > to + 12 ? ", " + what.substr(to + 12) : "");
        Finding finding(Kind::exception,
                        "an exception that nobody catches ends the program: " + what + '.');
        if (said.find("without an active exception") != std::string::npos) {
            finding.text = "the program is ended: \"" + said + "\".";
            finding.causes = {"a std::thread that is destroyed before join()"};
        }
        return finding;
    }
    for (const char* const word : {"free()", "alloc()", "corrupt", "munmap_chunk", "smashing"})
        if (said.find(word) != std::string::npos)
            return {Kind::ended_by_signal, "the host's code uses memory wrongly: " + said + '.'};
    return {Kind::aborted, "the program is ended by abort(), in the host's code" +
                               (said.empty() ? "." : ", and says: " + said)};
}

void Findings::take(const RunResult& result) {
    const bool is_first = runs_++ == 0;
    const std::set<std::string> known_places = is_first ? std::set<std::string>() : places_;
    const auto is_mistake = [](const Finding& f) { return f.weight >= Weight::mistake; };
    for (const Finding& finding : result.findings) {
        take(finding, known_places);
        if (finding.weight == Weight::limit) return;  // what comes later follows from that
    }
    if (result.signal != 0 && is_first && !is_failed_assert(result) &&
        std::none_of(result.findings.begin(), result.findings.end(), is_mistake))
        add(Weight::mistake,
            result.signal == SIGABRT
                ? abortion(result)
                : Finding(Kind::ended_by_signal,
                          "the program is ended by " + result.ending() + ", in the host's code."));
}

// Those that fit what the run has used. A race would have been found.
std::vector<std::string> causes_of(Kind kind, const RunResult& run, bool is_of_bits) {
    if (is_of_bits)
        return {
            "an int is read as the bits of a float: __float_as_int keeps the bits of a number, "
            "(int) does not"};
    std::vector<std::string> causes;
    if (kind == Kind::depends_on_unwritten) {
        causes = {"a local variable or array without a value: int bins[4] = {};"};
        if (run.has_host_visible)
            causes.emplace_back("managed or pinned memory that was not set to 0");
        return causes;
    }
    if (run.largest_sum > 0)
        causes.emplace_back(
            "a sum of floats by an atomic function, which each order of the threads rounds "
            "differently: compare it with a tolerance");
    if (run.has_list)
        causes.emplace_back(
            "what an atomic function returns, or leaves there, depends on which thread comes "
            "first, such as the place in a list");
    return causes;
}

void Findings::compare(const RunResult& first, const RunResult& second, Kind kind,
                       const std::string& how, double rounding) {
    if (!empty()) return;  // it follows from what is found
    std::string what = first_difference(first.output, second.output, 0);
    if (first.exit_code != second.exit_code)
        what = "it ends with " + second.ending() + ", not with " + first.ending();
    if (what.empty()) return;
    // `rounding` is 0 if the threads run in the same order.
    const bool is_of_order = rounding > 0 && first.exit_code == second.exit_code;
    const auto of_kind = [this](Kind known) {
        return std::any_of(notes_.begin(), notes_.end(),
                           [known](const Finding& note) { return note.kind == known; });
    };
    const bool is_of_bits = has_integer_bits(what);
    // Such as PASS or FAIL, of a sum.
    const bool is_verdict =
        first.largest_sum > 0 && what.find_first_of("0123456789") == std::string::npos;
    const auto race = std::find_if(notes_.begin(), notes_.end(), [kind](const Finding& note) {
        return kind == Kind::depends_on_order ? is_race_or_not(note)
                                              : note.kind == Kind::uninitialized;
    });
    if (is_of_order && first_difference(first.output, second.output, rounding).empty()) {
        if (!of_kind(Kind::depends_on_rounding))
            add(Weight::note, {Kind::depends_on_rounding,
                               how + " " + what +
                                   ". A sum of floats is rounded differently in another order, on "
                                   "a GPU, too."});
    } else if (is_of_order && first.has_list && !is_of_bits && !is_verdict &&
               (race == notes_.end() || of_kind(Kind::depends_on_list))) {
        if (!of_kind(Kind::depends_on_list))
            add(Weight::note, {Kind::depends_on_list,
                               how + " " + what +
                                   ". If an atomic function hands out the places of a list, they "
                                   "are in another order in each run, on a GPU, too."});
    } else {  // after all, a race or an unset variable that may do no harm, as a note said
        what = "he program does something else " + how + ": " + what + ".";
        if (race == notes_.end()) {
            if (kind == Kind::uninitialized) return;
            add(Weight::mistake, {kind, "t" + what});
            mistakes_.back().causes = causes_of(kind, first, is_of_bits);
            return;
        }
        Finding mistake = *race + " T" + what;
        std::erase_if(mistake.causes,
                      [](const std::string& cause) { return cause.starts_with("none,"); });
        notes_.erase(race);
        add(Weight::mistake, mistake);
    }
}

bool Findings::has_unwritten() const {
    return std::any_of(mistakes_.begin(), mistakes_.end(), is_unwritten) ||
           std::any_of(notes_.begin(), notes_.end(), is_unwritten_copy);
}

bool has_same_results(const RunResult& first, const RunResult& second) {
    return !is_different(first, second) && first.results == second.results;
}

void Findings::decide_unwritten(const RunResult& first, const RunResult& other,
                                bool is_repeatable) {
    if (empty() && is_different(first, other) && is_repeatable)
        for (const Finding& note : notes_)
            if (is_unwritten_copy(note)) add(Weight::mistake, note);
    if (has_same_results(first, other)) std::erase_if(mistakes_, is_unwritten);
}

void show(const std::string& text) { std::fputs(text.c_str(), stdout); }

void Findings::print(const std::string& program, const std::string& how) const {
    constexpr std::size_t limit = 6;  // one screen
    const std::size_t count = mistakes_.size();
    if (has_limit())
        show(wrapped("", program + ": cannot be checked."));
    else if (empty())
        show(wrapped("", program + ": nothing found" + how + "."));
    for (const Finding& finding : limits_) show('\n' + prose("", finding));
    if (!empty())
        show(wrapped("", program + ": " + std::to_string(count) +
                             (count == 1 ? " mistake." : " mistakes.")));
    for (std::size_t i = 0; i < std::min(count, limit); ++i) {
        show('\n' + prose(std::to_string(i + 1) + ". ", mistakes_[i]));
        if (mistakes_[i].weight == Weight::fatal) show("   What comes after it was not run.\n");
    }
    if (count > limit) show(wrapped("", "The others may follow from these; correct them first."));
    if (!empty()) return;
    for (const Finding& note : notes_) {
        show('\n' + prose("Note: ", note));
        if (is_unwritten_copy(note))
            show(wrapped("   ",
                         "It is no mistake, as the host does not use the bytes that were never "
                         "written."));
    }
}

void Findings::write(const char* file) const {
    std::ofstream out(file, std::ios::app);
    for (const auto& findings : {mistakes_, limits_, notes_})
        for (const Finding& finding : findings) {
            Finding told = finding;
            told.remedy.clear();
            std::string text = prose("", told), record = finding.line();
            std::replace(text.begin(), text.end(), '\n', '\x1e');
            record.insert(record.size() - 1, '\t' + text);
            out << record;
        }
}

bool never_ends(const RunResult& result) {
    return std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
        return finding.kind == Kind::endless || finding.kind == Kind::repeats;
    });
}

// Counts the processor's time for the runs that have ended.
long milliseconds_of_runs() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000;
}

// Its input is what the program reads; the shadow takes up to 100 times as long as the program.
RunResult run(const std::vector<std::string>& arguments, Input& input, const char* order,
              const char* zeros, bool shadow, const char* turns = "0") {
    static const bool is_chosen = std::getenv("CUDA_ON_CPU_TIMEOUT") != nullptr;
    const long limit = shadow ? std::clamp(milliseconds_of_runs() / 10, 10L, 100L) : 10;
    if (!is_chosen) setenv("CUDA_ON_CPU_TIMEOUT", std::to_string(limit).c_str(), 1);
    static std::map<std::string, int> runs;  // of each order
    return run_program(arguments,
                       {{"CUDA_ON_CPU_RUN", std::to_string(++runs[order])},
                        {"CUDA_ON_CPU_ORDER", order},
                        {"CUDA_ON_CPU_ZEROS", zeros},
                        {"CUDA_ON_CPU_TURNS", turns},
                        {"CUDA_ON_CPU_WATCH", shadow ? "1" : "0"}},
                       &input);
}

// The mistakes that the runs show. After a kernel that never ends, no other run is waited for.
void compare_runs(const std::vector<std::string>& arguments, const std::string& compiled,
                  Findings& findings, RunResult& first) {
    Input input;
    const auto reverse = run(arguments, input, "reverse", "1", false);
    first = never_ends(reverse) ? reverse : run(arguments, input, "forward", "0", true);
    findings.take(first);
    findings.take_compiled(compiled);
    if (never_ends(first) || findings.has_limit()) return;
    // A program with the time as its seed does something else each time, and so may one with a
    // variable that is not set.
    const auto is_repeatable = [&] {
        const auto again = run(arguments, input, "forward", "0", true);
        findings.compare(first, again, Kind::uninitialized, "in each run", 0);
        return !is_different(first, again);
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
                         Kind::depends_on_unwritten, "if memory that was never written is 0", 0);
        findings.compare(first, next, Kind::depends_on_order,
                         "with its threads and streams in " + how,
                         1e-3 * std::max(first.largest_sum, 0.01));
    };
    compare(reverse, "reverse order and memory full of zeros");
    // Such a race shows where threads take turns. So many take less than a second.
    compare(run(arguments, input, "random", "0", false, findings.has_open_race() ? "1000000" : "0"),
            "random order");
}

// The last two, which may say FAIL.
std::string last_lines(const std::string& text) {
    std::istringstream lines(text);
    std::string before, last;
    for (std::string line; std::getline(lines, line); last = line + '\n') before = last;
    return before + last;
}

int code_of(const Findings& findings) {
    if (const char* const file = std::getenv("CUDA_ON_CPU_FINDINGS")) findings.write(file);
    return !findings.empty() ? 1 : findings.has_limit() ? 3 : 0;
}

int judge(const std::string& name, const std::string& compiled,
          const std::vector<std::string>& arguments) {
    Findings findings;
    RunResult first;
    compare_runs(arguments, compiled, findings, first);
    findings.print(name, ", with the threads in three orders");
    const int code = code_of(findings);
    if (code != 0) return code;
    show(wrapped(
        "",
        "Not looked for: whether the results are right; how fast it is; what this input does not "
        "reach; an array on the host's stack that is too small for a copy; most copies of too few "
        "bytes; races of the host's threads; an index that is wrong but inside of the same "
        "memory."));
    if (first.exit_code != 0)
        std::printf("But it ends with %s and says:\n%s%s", first.ending().c_str(),
                    first.output.c_str(), first.errors.c_str());
    else if (!first.output.empty())
        std::printf("The program's output ends with:\n%s", last_lines(first.output).c_str());
    return 0;
}

int judge_once(const std::string& name, const std::vector<std::string>& arguments) {
    Findings findings;
    const RunResult result = run_program(arguments, {}, nullptr, true);
    findings.take(result);
    const int code = code_of(findings);
    if (code != 0 || result.exit_code == 0) findings.print(name, "");
    return code != 0 ? code : result.exit_code;
}

}  // namespace
}  // namespace cuda_on_cpu::judge

int main(int count, char** arguments) {
    if (count < 4) {
        std::fprintf(stderr,
                     "usage: %s NAME COMPILED PROGRAM [ARGUMENT...]\n       %s --once NAME PROGRAM "
                     "[ARGUMENT...]\n",
                     arguments[0], arguments[0]);
        return 2;
    }
    try {
        const std::vector<std::string> program(arguments + 3, arguments + count);
        return std::string(arguments[1]) == "--once"
                   ? cuda_on_cpu::judge::judge_once(arguments[2], program)
                   : cuda_on_cpu::judge::judge(arguments[1], arguments[2], program);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cuda-on-cpu check: %s\n", error.what());
        return 1;
    }
}
