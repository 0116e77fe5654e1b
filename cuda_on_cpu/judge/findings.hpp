// SPDX-License-Identifier: MIT
// The mistakes that several runs of a program have told, each once, and the screen that shows them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "run.hpp"

namespace cuda_on_cpu::judge {

class Findings {
  public:
    /// Takes those of the compiler, a line each; no file: none.
    void take_compiled(const std::string& file);
    /// Takes the emulator's sentences out of what the program has written to stderr, and a signal.
    /// A mistake at lines that an earlier run has named is not a new one.
    void take(const Ending& ending);
    /// Both must be the same: `how` is what was different in the second run. A difference of two
    /// sums, such as the largest error, may be as small as their `rounding`.
    void compare(const Ending& first, const Ending& second, const std::string& how,
                 const std::string& advice, double rounding);
    /// Whether a finding is about memory that is read and was never written, or a note about such
    /// memory that is copied.
    bool has_unwritten() const;
    /// With other values there a program that does the same makes no mistake, and one that does
    /// something else does, if it is not one that never does the same twice.
    void decide_unwritten(const Ending& first, const Ending& zeros, bool is_repeatable);
    void print(const std::string& program) const;
    bool empty() const { return sentences_.empty(); }  ///< of mistakes

  private:
    /// A note or a mistake, unless all its lines are known; whether it is a mistake.
    bool take(const std::string& text, const std::set<std::string>& known_places);
    std::vector<std::string> sentences_, notes_;  // a note is no mistake
    std::set<std::string> places_;                // "lab.cu:12"
    int runs_ = 0;
};

}  // namespace cuda_on_cpu::judge
