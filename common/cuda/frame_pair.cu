// SPDX-License-Identifier: MIT
#include <limits>

#include "common/base/error.hpp"
#include "common/cuda/backend.hpp"
#include "common/cuda/frame_pair.hpp"

namespace convolab {
namespace {

constexpr int kSpare = 1 << 20;  // the last threads count past the end

int counted_pixels(const Job& job) {
    if (job.image().samples() > std::numeric_limits<int>::max() - kSpare)
        throw Unsupported("The frames have about 2^31 bytes or more, more than the kernels count.");
    require_gpu();
    return static_cast<int>(job.image().pixels());
}

__global__ void poison_reds(std::uint8_t* d_out, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) d_out[3 * i] = 0xA5;
}

const std::uint8_t* bytes_of(const Image& image) { return image.data<std::uint8_t>(); }

}  // namespace

CudaFramePair::CudaFramePair(const Job& job)
    : job(job),
      settings(job.settings),
      pixels(counted_pixels(job)),
      width(static_cast<int>(job.image().width())),
      height(static_cast<int>(job.image().height())),
      frames_(job),
      output_(job.image().width(), job.image().height(), job.image().channels()),
      d_previous_(output_.bytes()),
      d_current_(output_.bytes()),
      d_out_(output_.bytes()) {
    d_out_.fill(0);
}

void CudaFramePair::set(FramePairSettings settings) {
    how_ = std::move(settings);
    if (!how_.output.empty()) {
        output_ = std::move(how_.output);
        d_out_ = DeviceBuffer<std::uint8_t>(output_.bytes());
    }
    if (is_over_previous()) d_out_ = {};
}

void CudaFramePair::pin_output() {
    pinned_ = true;
    output_ = gpu_backend().pinned(output_);
}

void CudaFramePair::upload() {
    d_previous_.upload(bytes_of(frames_.previous()));
    d_current_.upload(bytes_of(frames_.current()));
}

void CudaFramePair::next_frame() {
    if (!how_.keeps_the_previous_frame) return upload();
    d_previous_.swap(d_current_);
    if (pinned_)
        d_current_.upload_async(bytes_of(frames_.current()), nullptr);
    else
        d_current_.upload(bytes_of(frames_.current()));
}

void CudaFramePair::restore_input() {
    if (is_over_previous()) d_previous_.upload(bytes_of(frames_.previous()));
}

void CudaFramePair::run() {
    how_.launch();
    CUDA_CHECK(cudaGetLastError());
}

void CudaFramePair::download() {
    if (how_.download) return how_.download(output_);
    (is_over_previous() ? d_previous_ : d_out_)
        .download(reinterpret_cast<std::uint8_t*>(output_.raw()));
}

const Image& CudaFramePair::result() {
    if (how_.postprocess) how_.postprocess(output_);
    return output_;
}

void CudaFramePair::poison() {
    output_.poison();
    if (is_over_previous()) return;
    if (how_.writes != Writes::only_reds) return d_out_.fill(0xA5);
    d_out_.fill(0);
    poison_reds<<<blocks_for(pixels, 256), 256>>>(d_out(), pixels);
    CUDA_CHECK(cudaGetLastError());
}

Variant frame_pair_variant(Variant variant, const std::function<void(CudaFramePair&)>& setup) {
    variant.make = [setup, pinned = variant.pinned_frames](const Job& job) {
        auto made = std::make_unique<CudaFramePair>(job);
        setup(*made);
        if (pinned) made->pin_output();
        return made;
    };
    variant.types = {PixelType::uint8};
    variant.channels = {3};
    variant.memory = [](const Job& job) {
        const auto frame = static_cast<std::int64_t>(job.image().bytes());
        return MemoryNeed{frame, 3 * frame};
    };
    return variant;
}

}  // namespace convolab
