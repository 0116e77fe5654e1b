// SPDX-License-Identifier: MIT
// The matrix in the registers of a warp that walks down the image, and one step of the walk.
#pragma once

#include "common/cuda/dispatch.hpp"
#include "labs/12_tensor/parts/fragments.hpp"

namespace convolab::tensor_cores {

/// pairs: (K + 1) / 2 pairs of window rows; steps: products for each pair.
template <class TheForm, int the_pairs, int the_steps>
class RollingMatrix {
  public:
    using Form = TheForm;
    using Words = typename Form::Words;
    static constexpr int kPairs = the_pairs, kSteps = the_steps;

    /// d_matrix: what lane_matrix() returned, in device memory.
    __device__ __forceinline__ explicit RollingMatrix(const Form* d_matrix) {
#pragma unroll
        for (int j = 0; j < kPairs; ++j)
#pragma unroll
            for (int step = 0; step < kSteps; ++step)
                parts_[j][step] = Form::load(d_matrix + (j * kSteps + step) * 32 + threadIdx.x);
    }

    /// Adds the next two input rows; `words` are this lane's bytes of them. Then sums[kPairs - 1]
    /// are finished, and the others have moved on by one place.
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

/// Calls use.operator()<RollingMatrix>() with the job's matrix: a dense one for one channel, a
/// sparse one for 3 and 4. Gray: the form of the dense one.
template <class Gray = Dense, class Use>
auto with_matrix(const Job& job, const Use& use) {
    return with_ksize<1, 3, 5, 7, 9>(job, [&]<int K>() {
        constexpr int kPairs = (K + 1) / 2;
        if (job.image().channels() == 1)
            return use.template operator()<RollingMatrix<Gray, kPairs, 1>>();
        if constexpr (K == 9)  // a window of 40 bytes
            if (job.image().channels() == 4)
                return use.template operator()<RollingMatrix<Sparse, kPairs, 2>>();
        return use.template operator()<RollingMatrix<Sparse, kPairs, 1>>();
    });
}

}  // namespace convolab::tensor_cores
