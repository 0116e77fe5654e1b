// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// fused (new): both passes in one kernel, the row sums in shared memory.
//
//   samples: (B + K - 1)^2   --along-->   row sums: B x (B + K - 1)   --down-->   output: B x B
//
// Idea: the row sums never leave the multiprocessor: a byte is read and a byte is written.
// Since two_pass_tile: one launch, the square tile of lab 05 (n_batch loads it), a second barrier.
//   The row sums of the halo's rows are made by two blocks each: (B + K - 1) / B = 1.25 times the
//   work of the first pass with B = 16 and K = 5.
// What limits it: instructions, no longer memory. A sample costs its share of the loader (a
//   division to find its cell, the border's test, a conversion), 2K reads of shared memory and 2K
//   multiply-adds: one sample an instruction, where a word could hold four.
// Alone: build/labs/07_separable/lab bench --variant fused --block 8,16,32 --size 4k
#include "common/cuda/tile.hpp"
#include "labs/07_separable/passes.hpp"

namespace convolab::separable {
namespace {

__global__ void fused_kernel(const std::uint8_t* d_in, std::uint8_t* d_out, DeviceJob job,
                             LineTaps taps) {
    const int block = static_cast<int>(blockDim.x);
    const int side = block + job.ksize - 1;
    float* s_planes = shared_floats();                      // [channel][side][side]
    float* s_sums = s_planes + side * side * job.channels;  // [channel][side][block]
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * block + tx;  // of the output
    const int y = static_cast<int>(blockIdx.y) * block + ty;
    for (int cell = ty * block + tx; cell < side * side; cell += block * block)
        load_cell(s_planes, side, cell, x - tx + job.origin, y - ty + job.origin, d_in, job);
    __syncthreads();

    for (int row = ty; row < side; row += block)
        for (int c = 0; c < job.channels; ++c) {
            const float* s_row = s_planes + (c * side + row) * side + tx;
            float sum = 0;
            for (int i = 0; i < job.ksize; ++i) sum += taps.row[i] * s_row[i];
            s_sums[(c * side + row) * block + tx] = sum;
        }
    __syncthreads();

    if (x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        const float* s_column = s_sums + (c * side + ty) * block + tx;
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j) sum += taps.column[j] * s_column[j * block];
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

class Fused final : public CudaConvolver {
  public:
    explicit Fused(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::uint8), output_for(job, PixelType::uint8)),
          taps_(line_taps(job.filter)) {
        LaunchShape shape = output_tile(job, 0);
        const std::size_t side = job.settings.block + job.filter.ksize() - 1;
        shape.shared_bytes += side * job.settings.block * job.image().channels() * sizeof(float);
        prepare(fused_kernel, shape);
    }
    void run() override {
        launch(fused_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::uint8_t>(), d_out<std::uint8_t>(), device_job_, taps_);
    }

  private:
    LineTaps taps_;
};

}  // namespace

extern const Variant fused;
const Variant fused{
    .name = "fused",
    .idea = "both passes in one kernel, the row sums in shared memory",
    .make = make_one<Fused>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_memory,
};

}  // namespace convolab::separable
