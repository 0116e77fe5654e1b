// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// input_tile (ariano2023, 3.7.3, version 1): the block is the tile that is loaded.
//
// Idea: neighbouring outputs share most of their inputs. B x B threads bring B x B pixels of the
//   padded image into shared memory, one load each; then (B - 2p)^2 of them find all their taps
//   there and compute. Blocks overlap by 2p.
// Since lab 04's padded: a global load for every pixel of the tile instead of one for every tap.
// What limits it: idle threads. With B = 8 and K = 5 only 16 of 64 compute; B has to be larger than
//   2p. Three interleaved channels put neighbouring threads 3 words apart in shared memory: no bank
//   conflict, 3 and 32 have no common factor. With 4 channels four threads meet in one bank.
// Alone: build/labs/05_cuda_shared/lab bench --variant input_tile --block 8,16,32 --size 1080p
#include "common/convolution/padding.hpp"
#include "common/cuda/tile.hpp"

namespace convolab::cuda_shared {
namespace {

__constant__ float c_taps[kMaxConstantTaps];

__global__ void input_tile_kernel(const float* d_padded, float* d_out, DeviceJob job) {
    float* s_tile = shared_floats();  // B x B pixels, interleaved
    const int side = static_cast<int>(blockDim.x);
    const int inner = side - 2 * job.radius;
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    // Of the padded image while loading, of the output while computing: the thread that computes
    // output (x, y) has loaded padded (x, y), the corner of its filter.
    const int x = static_cast<int>(blockIdx.x) * inner + tx;
    const int y = static_cast<int>(blockIdx.y) * inner + ty;
    const int padded_width = job.out_width + 2 * job.radius;
    const int padded_height = job.out_height + 2 * job.radius;

    if (x < padded_width && y < padded_height)
        for (int c = 0; c < job.channels; ++c)
            s_tile[(ty * side + tx) * job.channels + c] =
                d_padded[(static_cast<std::int64_t>(y) * padded_width + x) * job.channels + c];
    __syncthreads();

    if (tx >= inner || ty >= inner || x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        const float* s_corner = s_tile + (ty * side + tx) * job.channels + c;
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum += c_taps[j * job.ksize + i] * s_corner[(j * side + i) * job.channels];
        const float divisor = job.divisor_at(x, y);
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, divisor);  // a byte, as float
    }
}

LaunchShape input_tile_shape(const Job& job) {
    const int block = job.settings.block;
    const int inner = block - 2 * job.filter.radius();
    if (inner < 1)
        throw Unsupported("A tile of " + std::to_string(block) + " x " + std::to_string(block) +
                          " leaves no thread to compute with a filter of side " +
                          std::to_string(job.filter.ksize()) + "; the block must be larger than " +
                          std::to_string(2 * job.filter.radius()) + ".");
    return one_block_a_tile(job.out_width(), job.out_height(), inner, block,
                            tile_bytes(block, job));
}

class InputTile final : public CudaConvolver {
  public:
    explicit InputTile(const Job& job)
        : CudaConvolver(job, pad(job, PixelType::float32), output_for(job, PixelType::float32)) {
        require_type(job, PixelType::uint8);
        require_constant_taps(job);
        prepare(input_tile_kernel, input_tile_shape(job));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(input_tile_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<float>(), d_out<float>(), device_job_);
    }
};

}  // namespace

extern const Variant input_tile;
const Variant input_tile{
    .name = "input_tile",
    .idea = "block = loaded tile; the inner (B - 2p)^2 threads compute",
    .make = make_one<InputTile>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_padded_memory,
};

}  // namespace convolab::cuda_shared
