// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// soa (delbimbo2024, 4.1): bytes, one plane a channel, RR..GG..BB.., a structure of arrays.
//
// Idea: a warp's loads of one channel are neighbouring bytes, a third of the sectors.
// Since aos: one word, the layout.
// What limits it: as aos. Fewer sectors a load, but the caches served most of them before; the
//   arithmetic and the tests are the same, and there are more of them than loads.
// Alone: build/labs/03_cuda_global/lab bench --variant aos,soa --size 4k
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_global {
namespace {

constexpr Layout kLayout = Layout::planar;

__global__ void soa_kernel(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
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

class Soa final : public CudaConvolver {
  public:
    explicit Soa(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::uint8, kLayout),
                        output_for(job, PixelType::uint8, kLayout)) {
        prepare(soa_kernel, one_thread_each(job, job.out_width(), job.out_height()));
    }
    void run() override {
        launch(soa_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::uint8_t>(), d_out<std::uint8_t>(), d_taps(), device_job_);
    }
};

}  // namespace

extern const Variant soa;
const Variant soa{
    .name = "soa",
    .idea = "bytes, planar: structure of arrays",
    .make = make_one<Soa>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_global
