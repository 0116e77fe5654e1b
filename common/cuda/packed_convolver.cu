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
    need.device += 2 * packed_output_rows().line * (job.image().height() + job.out_height());
    need.device += std::max(job.image().samples(),
                            job.out_width() * job.out_height() * job.image().channels());
    return need;
}

}  // namespace convolab
