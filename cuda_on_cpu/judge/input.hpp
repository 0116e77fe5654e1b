// SPDX-License-Identifier: MIT
// What the program reads from the judge's input, kept for its other runs. The rest is left there:
// it is the shell's, as in `while read file; do cuda-on-cpu check $file; done`.
#pragma once

#include <cstddef>

namespace cuda_on_cpu::judge {

class Input {
  public:
    /// Throws std::runtime_error.
    Input();
    /// Where a run reads from: the first may read all that the judge may, the others what the first
    /// has read.
    int begin_run();
    /// Passes on what the first run may read next. To be called again and again while it runs:
    /// that it waits for more shows only in what it has read.
    void pass();
    bool is_passing() const { return to_ >= 0; }
    void end_run();

  private:
    enum class Kind { none, file, pipe, socket } kind_;
    bool take();
    long begin_ = 0;           // of a file
    int kept_ = -1;            // in memory
    int from_ = -1, to_ = -1;  // the pipe of the first run
    std::size_t passed_ = 0;   // and is still to be read by it
};

}  // namespace cuda_on_cpu::judge
