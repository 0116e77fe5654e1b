// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/cuda/packed_convolver.hpp"

namespace convolab {

PackedConvolver::PackedConvolver(const Job& job)
    : CudaConvolver(job, {stored(job, PixelType::uint8), 0, packed_input_rows(job)},
                    {output_for(job, PixelType::uint8), 0, packed_output_rows()}),
      rows(byte_rows(job, all_rows(job), d_in<unsigned char>(), d_out<unsigned char>())) {}

MemoryNeed PackedConvolver::memory(const Job& job) {
    MemoryNeed need = cuda_memory(job);
    const std::int64_t line = packed_output_rows().line;
    need.device += 2 * line * (job.image().height() + job.out_height());
    const auto together = [&](std::int64_t width, std::int64_t height) {
        const std::int64_t row = width * job.image().channels();
        return row % line != 0 || job.border.rule == BorderRule::valid ? row * height : 0;
    };
    need.device += std::max(together(job.image().width(), job.image().height()),
                            together(job.out_width(), job.out_height()));
    return need;
}

}  // namespace convolab
