// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The mistakes that several runs of a program have told, each once, and the screen that shows them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "run.hpp"

namespace cuda_on_cpu::judge {

class Findings {
  public:
    /// Takes the emulator's sentences out of what the program has written to stderr, and a signal.
    /// A mistake at lines that an earlier run has named is not a new one.
    void take(const Ending& ending);
    /// Both must be the same: `how` is what was different in the second run.
    void compare(const Ending& first, const Ending& second, const std::string& how,
                 const std::string& remedy);
    /// Whether something is read that nobody has written.
    bool has_unwritten() const;
    /// It makes no difference.
    void forget_unwritten();
    void print(const std::string& program) const;
    bool empty() const { return sentences_.empty(); }

  private:
    std::vector<std::string> sentences_;
    std::set<std::string> places_;  // "lab.cu:12"
    int runs_ = 0;
};

}  // namespace cuda_on_cpu::judge
