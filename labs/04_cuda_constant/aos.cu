// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// aos (delbimbo2024, 4.2): lab 03's aos with the filter in constant memory.
//
// Idea: the taps of a small filter are the same for every thread: constant memory broadcasts them.
// Since lab 03's aos: d_taps became c_taps.
// What limits it: the load of the sample, its test and its index, once for every tap.
// Alone: build/labs/04_cuda_constant/lab bench --variant aos,soa --size 4k
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_constant {
namespace {

constexpr Layout kLayout = Layout::interleaved;

__constant__ float c_taps[kMaxConstantTaps];

__global__ void aos_kernel(const std::uint8_t* d_in, std::uint8_t* d_out, DeviceJob job) {
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
                    c_taps[j * job.ksize + i] * sample_at<kLayout>(d_in, job, left + i, top + j, c);
        d_out[job.out_index<kLayout>(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

class Aos final : public CudaConvolver {
  public:
    explicit Aos(const Job& job)
        : CudaConvolver(job, stored(job, PixelType::uint8, kLayout),
                        output_for(job, PixelType::uint8, kLayout)) {
        require_constant_taps(job);
        prepare(aos_kernel, one_thread_each(job, job.out_width(), job.out_height()));
    }
    void upload() override {
        CudaConvolver::upload();
        CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps().data(), taps_bytes()));
    }
    void run() override {
        launch(aos_kernel, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<std::uint8_t>(), d_out<std::uint8_t>(), device_job_);
    }
};

}  // namespace

extern const Variant aos;
const Variant aos{
    .name = "aos",
    .idea = "bytes, interleaved, taps in constant memory",
    .make = make_one<Aos>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_constant
