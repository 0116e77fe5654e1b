// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// judge NAME PROGRAM [ARGUMENT...]: runs a program that is built for `cuda-on-cpu check` with its
// threads in three orders, and shows its mistakes. Exit code: 0 none found, 1 some, 2 wrong usage.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "findings.hpp"
#include "output.hpp"
#include "run.hpp"

namespace {

// The program's input, for each run anew; -1 where somebody types it.
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

bool is_different(const cuda_on_cpu::judge::Ending& first,
                  const cuda_on_cpu::judge::Ending& second) {
    return first.exit_code != second.exit_code ||
           !cuda_on_cpu::judge::first_difference(first.output, second.output).empty();
}

int judge(const std::string& name, const std::vector<std::string>& arguments) {
    namespace judge = cuda_on_cpu::judge;
    // The program runs many times as long as without the shadow.
    setenv("CUDA_ON_CPU_TIMEOUT", "100", 0);
    setenv("CUDA_ON_CPU_RESULTS", "1", 1);
    const int input = keep_input();
    judge::Findings findings;
    const judge::Ending first = judge::run(arguments, {{"CUDA_ON_CPU_ORDER", "forward"}}, input);
    findings.take(first);
    if (findings.has_unwritten()) {
        const judge::Ending zeros = judge::run(
            arguments, {{"CUDA_ON_CPU_ORDER", "forward"}, {"CUDA_ON_CPU_ZEROS", "1"}}, input);
        if (judge::has_same_results(first, zeros)) findings.forget_unwritten();
    }
    const struct {
        const char *order, *zeros, *how;
    } others[] = {
        {"reverse", "1", "with its threads and streams in reverse order and memory full of zeros"},
        {"random", "0", "with its threads and streams in random order"}};
    for (const auto& [order, zeros, how] : others) {
        const judge::Ending next = judge::run(arguments,
                                              {{"CUDA_ON_CPU_ORDER", order},
                                               {"CUDA_ON_CPU_ZEROS", zeros},
                                               {"CUDA_ON_CPU_WATCH", "0"}},
                                              input);
        if (findings.empty()) findings.take(next);  // the rest would follow from what is found
        // A program with the time as its seed does something else each time.
        if (is_different(first, next) &&
            !is_different(first, judge::run(arguments, {{"CUDA_ON_CPU_ORDER", "forward"}}, input)))
            findings.compare(first, next, how);
    }
    findings.print(name);
    if (findings.empty() && first.exit_code != 0)
        std::printf("But it ends with exit code %d and says:\n%s%s", first.exit_code,
                    first.output.c_str(), first.errors.c_str());
    return findings.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: %s NAME PROGRAM [ARGUMENT...]\n", arguments[0]);
        return 2;
    }
    try {
        return judge(arguments[1], {arguments + 2, arguments + count});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cuda-on-cpu check: %s\n", error.what());
        return 1;
    }
}
