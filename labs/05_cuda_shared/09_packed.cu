// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// packed -- four samples per instruction, for any filter of side 3, 5 or 7
// Source: new.
// Idea: shared memory as a pipeline in place of a tile. A warp marches down a strip of the image, 16
//     bytes per lane (the kernel is in common/cuda/strip_kernel.hpp):
//         start the copies of the first rows to shared memory
//         for each row: wait for its copy; feed it to the body; start the copy of a later row;
//                       store the output row that the body emits
//     The body keeps the last K rows in registers, four samples per word, so that one dp4a
//     instruction does four multiply-adds (parts/packed_direct.hpp).
// Since n_batch: bytes in place of floats, K a template parameter, no barrier, no conversion. 5x5
//     costs 10 dp4a per sample, where the tile of floats has 25 loads from shared memory and 25
//     multiply-adds.
// Limit: compute: dp4a runs at half rate. For separable filters lab 07 needs half as many dot
//     products. Taps of more than 8 bits need twice as many: they are split into two digits.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch,packed --ksize 3,5,7 --size 4k,8k
#include "common/cuda/dispatch.hpp"
#include "labs/05_cuda_shared/parts/packed_direct.hpp"

namespace convolab::cuda_shared {

template <class Body>
static std::unique_ptr<Convolver> make(const Job& job, const typename Body::Taps& taps) {
    auto v = std::make_unique<PackedConvolver>(job);
    v->prepare_strips<Body>(convolve_strips<Body>);
    v->launches(
        [v = v.get(), taps] { convolve_strips<Body><<<v->grid, v->block>>>(v->rows, taps); });
    return v;
}

extern const Variant packed{
    .name = "packed",
    .idea = "four samples per instruction, rows in a pipeline of asynchronous copies",
    .make =
        [](const Job& job) {
            return with_channels(job, [&]<int C>() {
                return with_ksize<3, 5, 7>(job, [&]<int K>() {
                    int digits = 0;
                    const DirectTaps taps = direct_taps(job.filter, digits);
                    return digits == 1 ? make<DirectBody<C, K, 1>>(job, taps)
                                       : make<DirectBody<C, K, 2>>(job, taps);
                });
            });
        },
    .types = {PixelType::uint8},
    .memory = PackedConvolver::memory,
};

}  // namespace convolab::cuda_shared
