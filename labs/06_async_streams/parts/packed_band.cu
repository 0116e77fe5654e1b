// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The packed kernel of lab 07 on a band: rows begin on lines of 128 bytes, and the rows that the border
// rule asks for are found in the band.
#include "common/cuda/dispatch.hpp"
#include "common/cuda/packed_rows.hpp"
#include "common/cuda/prepared_kernel.hpp"
#include "labs/06_async_streams/parts/band_kernel.hpp"
#include "labs/06_async_streams/parts/strip_kernel.hpp"
#include "labs/07_separable/parts/packed_choice.hpp"

namespace convolab::async_streams {
namespace {

struct Prepared : PreparedKernel {
    using PreparedKernel::kernel_resources;
};

template <class Body>
BandKernel kernel_with(const Job& job, const Band& band, const typename Body::Taps& taps) {
    ByteRows rows = byte_rows(job, {band.first, band.rows, band.low, band.high}, nullptr, nullptr);
    const auto blocks = Prepared::resident_blocks(convolve_strips<Body>, 32 * kStripsPerBlock);
    Prepared kernel;
    kernel.prepare(convolve_strips<Body>, strip_shape(rows, static_cast<int>(blocks),
                                                      Body::kRowsAhead, Body::kBandOfMany));
    const auto launch = [rows, taps, grid = kernel.grid, block = kernel.block](
                            const std::uint8_t* d_in, std::uint8_t* d_out, cudaStream_t stream) {
        ByteRows here = rows;
        here.d_in = d_in - rows.first;
        here.d_out = d_out;
        convolve_strips<Body><<<grid, block, 0, stream>>>(here, taps);
    };
    return {launch, packed_input_rows(job), packed_output_rows(), kernel.kernel_resources()};
}

}  // namespace

BandKernel packed_band_kernel(const Job& job, const Band& band) {
    try {
        if (job.border.rule == BorderRule::renormalise)
            throw Unsupported(
                "The packed kernel leaves the frame of border `renormalise` to another.");
        return with_channels(job, [&]<int C>() {
            return with_ksize<3, 5, 7, 9>(job, [&]<int K>() {
                return separable::with_body<C, K>(job,
                                                  [&]<class Body>(const typename Body::Taps& taps) {
                                                      return kernel_with<Body>(job, band, taps);
                                                  });
            });
        });
    } catch (const Unsupported& why) {
        throw Unsupported(std::string(why.what()) + " Use --kernel 1.");
    }
}

}  // namespace convolab::async_streams
