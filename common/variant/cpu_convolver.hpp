// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include "common/convolution/padding.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

/// What every variant on the CPU has: the divisors and an output in the image's type.
class CpuConvolver : public Convolver {
  public:
    Image result() const override { return output_; }
    void poison() override { output_.poison(); }

  protected:
    explicit CpuConvolver(const Job& job, Layout layout = Layout::interleaved)
        : divisors_(job),
          output_(job.out_width(), job.out_height(), job.image().channels(), job.image().type(),
                  layout) {}

    Divisors divisors_;
    Image output_;
};

}  // namespace convolab
