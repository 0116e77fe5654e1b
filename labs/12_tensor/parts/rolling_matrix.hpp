// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The matrix in the registers of a warp that walks down, and one step of the walk.
#pragma once

#include "common/cuda/dispatch.hpp"
#include "labs/12_tensor/parts/lane_matrix.hpp"

namespace convolab::tensor_cores {

/// pairs: of window rows, (K + 1) / 2; steps: multiplications for each.
template <class TheForm, int the_pairs, int the_steps>
class RollingMatrix {
  public:
    using Form = TheForm;
    using Words = typename Form::Words;
    static constexpr int kPairs = the_pairs, kSteps = the_steps;

    /// d_matrix: that of lane_matrix().
    __device__ __forceinline__ explicit RollingMatrix(const Form* d_matrix) {
#pragma unroll
        for (int j = 0; j < kPairs; ++j)
#pragma unroll
            for (int step = 0; step < kSteps; ++step)
                parts_[j][step] = Form::load(d_matrix + (j * kSteps + step) * 32 + threadIdx.x);
    }

    /// The next two input rows, of which `words` are this lane's: sums[kPairs - 1] are then finished,
    /// and the others have moved on by one place.
    __device__ __forceinline__ void step(int4 (&sums)[kPairs], const Words (&words)[kSteps],
                                         const int4& start) const {
#pragma unroll
        for (int j = kPairs - 1; j >= 0; --j) {
            sums[j] = parts_[j][0].times(words[0], j > 0 ? sums[j - 1] : start);
#pragma unroll
            for (int step = 1; step < kSteps; ++step)
                sums[j] = parts_[j][step].times(words[step], sums[j]);
        }
    }

  private:
    Form parts_[kPairs][kSteps];
};

/// use.operator()<RollingMatrix>() for the job: dense with one channel, sparse with 3 and 4.
template <class Use>
auto with_matrix(const Job& job, const Use& use) {
    return with_ksize<1, 3, 5, 7, 9>(job, [&]<int K>() {
        constexpr int kPairs = (K + 1) / 2;
        if (job.image().channels() == 1)
            return use.template operator()<RollingMatrix<Dense, kPairs, 1>>();
        if constexpr (K == 9)  // a window of 40 bytes
            if (job.image().channels() == 4)
                return use.template operator()<RollingMatrix<Sparse, kPairs, 2>>();
        return use.template operator()<RollingMatrix<Sparse, kPairs, 1>>();
    });
}

}  // namespace convolab::tensor_cores
