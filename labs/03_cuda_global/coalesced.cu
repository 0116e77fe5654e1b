// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// coalesced (new): naive with x and y the right way round.
//
// Idea: threads with consecutive threadIdx.x run in one warp and load at the same moment. Give them
//   consecutive columns, and their loads lie side by side in a few 32-byte sectors.
// Since naive: x from the x index, y from the y index, and the grid turned with them. Nothing else:
//   `diff` the two files.
// What limits it: every tap is still a load, an index in 64 bits and a test; neighbouring threads
//   load the same pixels up to K^2 times, out of the caches.
// Alone: build/labs/03_cuda_global/lab bench --variant naive,coalesced --size 1080p
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_global {
namespace {

template <class T>
__global__ void coalesced_kernel(const T* d_in, T* d_out, const float* d_taps, DeviceJob job) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= job.out_width || y >= job.out_height) return;

    const int left = x + job.origin;
    const int top = y + job.origin;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum += d_taps[j * job.ksize + i] * sample_at(d_in, job, left + i, top + j, c);
        d_out[job.out_index(x, y, c)] = to_sample<T>(sum, job.divisor_at(x, y));
    }
}

template <class T>
class Coalesced final : public CudaConvolver {
  public:
    explicit Coalesced(const Job& job)
        : CudaConvolver(job, stored(job, pixel_type_of<T>()), output_for(job, pixel_type_of<T>())) {
        prepare(coalesced_kernel<T>, one_thread_each(job, job.out_width(), job.out_height()));
    }
    void run() override {
        launch(coalesced_kernel<T>, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               d_in<T>(), d_out<T>(), d_taps(), device_job_);
    }
};

}  // namespace

extern const Variant coalesced;
const Variant coalesced{
    .name = "coalesced",
    .idea = "naive with x and y the right way round",
    .make = make_uint8_or_float32<Coalesced>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8, PixelType::float32},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_global
