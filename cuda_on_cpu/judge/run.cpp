// SPDX-License-Identifier: MIT
#include "run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "input.hpp"

namespace cuda_on_cpu::judge {
namespace {

constexpr const char* cannot_run = "cannot run ";

[[noreturn]] void become(const std::vector<std::string>& arguments, const Settings& settings) {
    for (const auto& [name, value] : settings) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> list;
    for (const std::string& argument : arguments)
        list.push_back(const_cast<char*>(argument.c_str()));
    list.push_back(nullptr);
    execv(list[0], list.data());
    const std::string text = cannot_run + std::string(list[0]) + ": " + std::strerror(errno);
    static_cast<void>(!write(2, text.data(), text.size()));
    _exit(127);
}

std::string contents(int file) {
    std::string text;
    char part[4096];
    for (off_t at = 0;;) {
        const ssize_t count = pread(file, part, sizeof part, at);
        if (count < 0) fail("cannot read the findings");
        if (count == 0) return text;
        text.append(part, static_cast<std::size_t>(count));
        at += count;
    }
}

// Each line is a finding, or tells of the results (check/unwritten.hpp).
void take_records(const std::string& records, RunResult& result) {
    std::istringstream lines(records);
    for (std::string line; std::getline(lines, line);) {
        if (const auto finding = Finding::of(line)) result.findings.push_back(*finding);
        std::istringstream words(line);
        if (std::string first; words >> first && first == "results")
            words >> result.results >> result.largest_sum >> result.has_list >>
                result.has_host_visible;
    }
}

// How many kernels it has launched: it tells of each power of two.
std::string kernels_of(int records) {
    const std::string text = contents(records), word = "kernels\t";
    const auto last = text.rfind(word);
    return last == std::string::npos
               ? "no kernel"
               : "at least " + std::to_string(std::atol(text.c_str() + last + word.size())) +
                     " kernels";
}

// Says how far it is after some seconds, then after twice as long each time.
class Progress {
  public:
    explicit Progress(int records) : records_(records) { ++runs; }
    int milliseconds_left() const {
        return static_cast<int>(std::max<std::int64_t>(0, next_ * 1000 - milliseconds()));
    }
    void tell() {
        if (milliseconds_left() > 0) return;
        std::fprintf(stderr,
                     "cuda-on-cpu check: %s has launched %s in %ld s; a kernel that never ends is "
                     "stopped.\n",
                     runs > 3 ? "a further run" : ("run " + std::to_string(runs) + " of 3").c_str(),
                     kernels_of(records_).c_str(), next_);
        next_ *= 2;
    }

  private:
    std::int64_t milliseconds() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::steady_clock::now() - begin_)
            .count();
    }
    static inline int runs = 0;
    int records_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    long next_ = isatty(2) != 0 ? 4 : 15;
};

// Reads both to their ends, as they come.
void read_all(int output, int errors, int records, Input* input, RunResult& result) {
    Progress progress(records);
    pollfd ends[] = {{output, POLLIN, 0}, {errors, POLLIN, 0}};
    std::string* const texts[] = {&result.output, &result.errors};
    constexpr int tick_ms = 5;
    for (int open = 2; open > 0;) {
        const bool passes = input != nullptr && input->is_passing();
        const int left = progress.milliseconds_left();
        const int ready = poll(ends, 2, passes ? std::min(tick_ms, left) : left);
        if (passes) input->pass();
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) fail("cannot wait for the program's output");
        progress.tell();
        for (int i = 0; i < 2; ++i) {
            if (ends[i].fd < 0 || ends[i].revents == 0) continue;
            char part[4096];
            const ssize_t count = read(ends[i].fd, part, sizeof part);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) fail("cannot read the program's output");
            if (count > 0) {
                texts[i]->append(part, static_cast<std::size_t>(count));
            } else {
                close(ends[i].fd);
                ends[i].fd = -1;
                --open;
            }
        }
    }
}

// Its line, if a sanitizer has said that it cannot work here; else empty.
std::string sanitizer_that_cannot_start(const std::string& errors) {
    std::istringstream lines(errors);
    for (std::string line; std::getline(lines, line);)
        for (const char* const word :
             {"ASan runtime does not come first", "Sanitizer failed to allocate",
              "Sanitizer: unexpected memory mapping", "ReserveShadowMemoryRange failed"})
            if (line.find(word) != std::string::npos) return line;
    return {};
}

}  // namespace

std::string RunResult::ending() const {
    if (signal != 0) return std::string("a signal, \"") + strsignal(signal) + '"';
    return "exit code " + std::to_string(exit_code);
}

void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

int memory_file(const char* name) {
    const int file = memfd_create(name, MFD_CLOEXEC);
    if (file < 0) fail(std::string("cannot keep the ") + name);
    return file;
}

RunResult run_program(const std::vector<std::string>& arguments, const Settings& settings,
                      Input* input, bool is_shown) {
    int output[2], errors[2];
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) fail("cannot make a pipe");
    const int records = memory_file("findings");
    const std::string file = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(records);
    const int from = input == nullptr ? -1 : input->begin_run();
    const pid_t child = fork();
    if (child < 0) fail("cannot start a process");
    if (child == 0) {
        if (from >= 0) dup2(from, 0);
        signal(SIGPIPE, SIG_DFL);
        if (!is_shown) {
            dup2(output[1], 1);
            dup2(errors[1], 2);
        }
        setenv("CUDA_ON_CPU_FINDINGS", file.c_str(), 1);
        become(arguments, settings);
    }
    close(output[1]);
    close(errors[1]);
    RunResult result;
    read_all(output[0], errors[0], records, input, result);
    if (input != nullptr) input->end_run();
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) fail("cannot wait for the program");
    take_records(contents(records), result);
    close(records);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (result.exit_code == 127 && result.errors.rfind(cannot_run, 0) == 0)
        throw std::runtime_error(result.errors);
    for (const int limit : {SIGXCPU, SIGXFSZ, SIGKILL})
        if (result.signal == limit)
            throw std::runtime_error(
                "the program did not come to its end: " + result.ending() +
                ". Is there a limit of time, memory or file sizes (ulimit -a)?");
    const std::string sanitizer = sanitizer_that_cannot_start(result.errors);
    if (result.exit_code != 0 && !sanitizer.empty())
        throw std::runtime_error("a sanitizer cannot start: " + sanitizer +
                                 "\nIs LD_PRELOAD set, or a limit of memory (ulimit -v)?");
    return result;
}

namespace {

// A time, or what follows from one, differs in every run.
bool is_about_time(const std::string& line) {
    for (const char* const word :
         {"ms", "us", "sec", " s", "ime", "/s", "lop", "LOP", "peed", "Hz", "lock"})
        if (line.find(word) != std::string::npos) return true;
    return false;
}

bool is_of_integer(double x) { return x != 0 && std::fabs(x) < 1e-37; }

// Which the system puts elsewhere in every run.
bool is_pointer(const std::string& word) {
    return (word.size() == 14 || word.size() == 15) &&
           (word.starts_with("0x7f") || word.starts_with("0x55") || word.starts_with("0x56"));
}

// `rounding`: by so much two real numbers may differ that are no integers.
bool is_alike(const std::string& a, const std::string& b, double rounding) {
    if (a == b || (is_pointer(a) && is_pointer(b))) return true;
    char *end_a = nullptr, *end_b = nullptr;
    const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
    if (end_a == a.c_str() || std::string(end_a) != end_b) return false;
    const bool are_integers = (a + b).find_first_of(".eE") == std::string::npos;
    if (is_of_integer(x) || is_of_integer(y)) return false;
    return std::fabs(x - y) <=
           std::fmax(1e-3 * std::fmax(std::fabs(x), std::fabs(y)), are_integers ? 0 : rounding);
}

bool are_lines_alike(const std::string& a, const std::string& b, double rounding) {
    std::istringstream words_a(a), words_b(b);
    for (std::string x, y;;) {
        const bool more_a = static_cast<bool>(words_a >> x);
        const bool more_b = static_cast<bool>(words_b >> y);
        if (!more_a || !more_b) return more_a == more_b;
        if (!is_alike(x, y, rounding)) return false;
    }
}

}  // namespace

bool has_integer_bits(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;)
        if (is_of_integer(std::strtod(word.c_str() + (word[0] == '"' ? 1 : 0), nullptr)))
            return true;
    return false;
}

bool is_different(const RunResult& first, const RunResult& second) {
    return first.exit_code != second.exit_code ||
           !first_difference(first.output, second.output, 0).empty();
}

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream lines(text);
    std::vector<std::string> result;
    for (std::string line; std::getline(lines, line);) result.push_back(line);
    return result;
}

std::vector<std::string> sorted_words(const std::string& text) {
    std::istringstream words(text);
    std::vector<std::string> result;
    for (std::string word; words >> word;) result.push_back(word);
    std::sort(result.begin(), result.end());
    return result;
}

std::string first_difference(const std::vector<std::string>& first,
                             const std::vector<std::string>& second, double rounding) {
    if (first.size() != second.size())
        return "it prints " + std::to_string(second.size()) + " lines, not " +
               std::to_string(first.size());
    for (std::size_t i = 0; i < first.size(); ++i)
        if (!are_lines_alike(first[i], second[i], rounding) &&
            !(is_about_time(first[i]) && is_about_time(second[i])))
            return "it prints \"" + second[i].substr(0, 60) + "\", not \"" +
                   first[i].substr(0, 60) + "\"";
    return {};
}

}  // namespace

std::string first_difference(const std::string& first, const std::string& second, double rounding) {
    std::vector<std::string> a = lines_of(first), b = lines_of(second);
    std::string difference = first_difference(a, b, rounding);
    if (difference.empty()) return {};
    std::sort(a.begin(), a.end());  // the lines of a kernel's threads come in any order
    std::sort(b.begin(), b.end());
    if (first_difference(a, b, rounding).empty()) return {};
    return sorted_words(first) == sorted_words(second) ? "" : difference;  // so do the words
}

}  // namespace cuda_on_cpu::judge
