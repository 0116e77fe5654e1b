// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The packed kernel of lab 07 on a band: rows begin on lines of 128 bytes, and the rows that the border
// rule asks for are found in the band.
#include "labs/06_async_streams/parts/band_kernel.hpp"
#include "labs/07_separable/parts/packed_band.hpp"

namespace convolab::async_streams {

BandKernel packed_band_kernel(const Job& job, const Band& band) {
    try {
        if (job.border.rule == BorderRule::renormalise)
            throw Unsupported(
                "The packed kernel leaves the frame of border `renormalise` to another.");
        const auto kernel =
            separable::packed_band(job, {band.first, band.rows, band.low, band.high});
        const auto launch = [rows = kernel.rows, launch_on = kernel.launch](
                                const std::uint8_t* d_in, std::uint8_t* d_out,
                                cudaStream_t stream) {
            ByteRows here = rows;
            here.d_in = d_in - rows.first;
            here.d_out = d_out;
            launch_on(here, stream);
        };
        return {launch, packed_input_rows(job), packed_output_rows(), kernel.kernel_resources()};
    } catch (const Unsupported& why) {
        own_band_kernel(job, band);  // says what it cannot do either
        throw Unsupported(std::string(why.what()) + " Use --kernel 1.");
    }
}

}  // namespace convolab::async_streams
