// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// naive (cazzola2024, Alg. 2): one thread computes one pixel, all of its channels.
//
// Idea: the four loops of the CPU lose the outer two; every output pixel has a thread of its own,
//   which walks the K x K taps and tests for each whether the image or its border is under it.
// Since lab 01: no loop over pixels; the image has to be copied to the device and back.
// What limits it: the row is taken from threadIdx.x. The threads of a warp have consecutive x: in a
//   block 16 wide they read 16 different rows, each from another line of the cache, where
//   coalesced.cu reads two. On purpose: it is the mistake to see once. It is not "global memory"
//   that is slow.
// Alone: build/labs/03_cuda_global/lab bench --variant naive --size 1080p
#include "common/cuda/convolver.hpp"

namespace convolab::cuda_global {
namespace {

template <class T>
__global__ void naive_kernel(const T* d_in, T* d_out, const float* d_taps, DeviceJob job) {
    const int y = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);  // the wrong way round
    const int x = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
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

/// The launch below is what CUDA's own syntax writes as
///     naive_kernel<T><<<grid, block, bytes, stream>>>(d_in, d_out, d_taps, job);
/// common/cuda/launch.hpp says the same in plain C++, so that any compiler can read it, and checks
/// the error that <<< >>> leaves behind.
template <class T>
class Naive final : public CudaConvolver {
  public:
    explicit Naive(const Job& job)
        : CudaConvolver(job, stored(job, pixel_type_of<T>()), output_for(job, pixel_type_of<T>())) {
        prepare(naive_kernel<T>, one_thread_each(job, job.out_height(), job.out_width()));
    }
    void run() override {
        launch(naive_kernel<T>, shape_.grid, shape_.block, shape_.shared_bytes, nullptr, d_in<T>(),
               d_out<T>(), d_taps(), device_job_);
    }
};

}  // namespace

extern const Variant naive;
const Variant naive{
    .name = "naive",
    .idea = "one thread a pixel, a test per tap, neighbours in different rows",
    .make = make_uint8_or_float32<Naive>,
    .uses = kUsesBlock,
    .types = {PixelType::uint8, PixelType::float32},
    .memory = cuda_memory,
};

}  // namespace convolab::cuda_global
