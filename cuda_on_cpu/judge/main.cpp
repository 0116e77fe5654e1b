// SPDX-License-Identifier: MIT
// judge NAME FINDINGS PROGRAM [ARGUMENT...]: runs a program that is built for `cuda-on-cpu check`
// with its threads in three orders, and shows its mistakes, and the compiler's in the file FINDINGS.
// Exit code: 0 none found, 1 some, 2 wrong usage.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "findings.hpp"
#include "output.hpp"
#include "run.hpp"

namespace {

// The program's input, for each run anew; -1 if somebody types it.
int keep_input() {
    if (isatty(0) != 0) return -1;
    std::FILE* const file = std::tmpfile();
    if (file == nullptr) return -1;
    char part[4096];
    for (ssize_t count; (count = read(0, part, sizeof part)) > 0;)
        std::fwrite(part, 1, static_cast<std::size_t>(count), file);
    std::fflush(file);
    return fileno(file);
}

bool never_ends(const cuda_on_cpu::judge::Ending& ending) {
    return ending.errors.find("(CUDA_ON_CPU_TIMEOUT)") != std::string::npos;
}

// Of the processor, by the runs that have ended.
long milliseconds_of_runs() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000;
}

// Its input is what the program reads; the shadow takes up to 100 times as long as the program.
cuda_on_cpu::judge::Ending run(const std::vector<std::string>& arguments, int input,
                               const char* order, const char* zeros, bool shadow) {
    static const bool is_chosen = std::getenv("CUDA_ON_CPU_TIMEOUT") != nullptr;
    const long limit = shadow ? std::clamp(milliseconds_of_runs() / 10, 10L, 100L) : 10;
    if (!is_chosen) setenv("CUDA_ON_CPU_TIMEOUT", std::to_string(limit).c_str(), 1);
    static std::map<std::string, int> runs;  // of each order
    return cuda_on_cpu::judge::run(arguments,
                                   {{"CUDA_ON_CPU_RUN", std::to_string(++runs[order])},
                                    {"CUDA_ON_CPU_ORDER", order},
                                    {"CUDA_ON_CPU_ZEROS", zeros},
                                    {"CUDA_ON_CPU_WATCH", shadow ? "1" : "0"}},
                                   input);
}

// The mistakes that the runs show. After a kernel that never ends, no other run is waited for.
void look(const std::vector<std::string>& arguments, cuda_on_cpu::judge::Findings& findings,
          cuda_on_cpu::judge::Ending& first) {
    const int input = keep_input();
    const auto reverse = run(arguments, input, "reverse", "1", false);
    first = never_ends(reverse) ? reverse : run(arguments, input, "forward", "0", true);
    findings.take(first);
    if (never_ends(first)) return;
    // A program with the time as its seed does something else each time.
    const auto is_repeatable = [&] {
        return !is_different(first, run(arguments, input, "forward", "0", true));
    };
    if (findings.has_unwritten()) {
        const auto zeros = run(arguments, input, "forward", "1", true);
        findings.decide_unwritten(
            first, zeros, findings.empty() && is_different(first, zeros) && is_repeatable());
    }
    const auto compare = [&](const cuda_on_cpu::judge::Ending& next, const std::string& how) {
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

int judge(const std::string& name, const std::string& compiled,
          const std::vector<std::string>& arguments) {
    setenv("CUDA_ON_CPU_RESULTS", "1", 1);
    cuda_on_cpu::judge::Findings findings;
    findings.take_compiled(compiled);
    cuda_on_cpu::judge::Ending first;
    look(arguments, findings, first);
    findings.print(name);
    if (findings.empty() && first.exit_code != 0)
        std::printf("But it ends with %s and says:\n%s%s", first.how().c_str(),
                    first.output.c_str(), first.errors.c_str());
    return findings.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: %s NAME FINDINGS PROGRAM [ARGUMENT...]\n", arguments[0]);
        return 2;
    }
    try {
        return judge(arguments[1], arguments[2], {arguments + 3, arguments + count});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cuda-on-cpu check: %s\n", error.what());
        return 1;
    }
}
