// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// aos (delbimbo2024, 4.1): bytes, interleaved as RGBRGB..., an array of structures.
//
// Idea: the samples are the bytes of the file; one accessor (x, y, channel) hides the index rule,
//   which the layout chooses. 16 x 16 = 256 threads a block.
// Since coalesced: the layout is named, so that soa.cu can change it and nothing else.
// What limits it: as coalesced. A warp's loads of one channel lie 3 bytes apart: every sector that
// it
//   touches it also uses, for the other two channels, a moment later.
// Alone: build/labs/03_cuda_global/lab bench --variant aos,soa --size 4k
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_global {
namespace {

constexpr Layout kLayout = Layout::interleaved;

__global__ void aos_kernel(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                           DeviceJob job) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= job.out_width || y >= job.out_height) return;

    const int left = x + job.origin;
    const int top = y + job.origin;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum +=
                    d_taps[j * job.ksize + i] * sample_at<kLayout>(d_in, job, left + i, top + j, c);
        d_out[job.out_index<kLayout>(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

class Aos final : public CudaConvolver {
  public:
    explicit Aos(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::uint8, kLayout),
                        output_for(job, PixelType::uint8, kLayout)) {
        prepare(aos_kernel, one_thread_each(job, job.out_width(), job.out_height()));
    }
    void run() override {
        launch(aos_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::uint8_t>(), d_out<std::uint8_t>(), d_taps(), device_job_);
    }
};

}  // namespace

extern const Variant aos;
const Variant aos{
    .name = "aos",
    .idea = "bytes, interleaved: array of structures",
    .make = make_one<Aos>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_global
