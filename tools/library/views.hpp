// SPDX-License-Identifier: MIT
// A job whose pictures lie in device memory as those of a user's program do.
#pragma once

#include "common/convolution/padding.hpp"
#include "common/cuda/backend.hpp"
#include "common/cuda/convolver.hpp"

namespace convolab::library_bench {

enum class Rows {
    pitched,  ///< of cudaMallocPitch: address and pitch are multiples of 16, whatever the width
    tight,    ///< without gaps, from an odd address on
};

/// An interleaved picture of bytes in device memory.
class DevicePicture {
  public:
    DevicePicture(std::int64_t width, std::int64_t height, int channels, Rows rows)
        : row_(static_cast<std::size_t>(width * channels)),
          height_(static_cast<std::size_t>(height)),
          pitch_(row_),
          first_(rows == Rows::tight ? 1 : 0) {
        if (rows == Rows::pitched) CUDA_CHECK(cudaMallocPitch(&memory_, &pitch_, row_, height_));
        // Kernels read all 16 bytes in which a pixel is. So the bytes between rows and at the end
        // belong to the picture, and are set for initcheck.
        const std::size_t bytes = (first_ + pitch_ * height_ + 15) / 16 * 16;
        if (rows == Rows::tight) CUDA_CHECK(cudaMalloc(&memory_, bytes));
        CUDA_CHECK(cudaMemset(memory_, 0, bytes));
    }
    ~DevicePicture() { static_cast<void>(cudaFree(memory_)); }
    DevicePicture(const DevicePicture&) = delete;
    DevicePicture& operator=(const DevicePicture&) = delete;

    std::uint8_t* data() const { return memory_ + first_; }
    std::size_t pitch() const { return pitch_; }
    void upload(const Image& image) {
        CUDA_CHECK(
            cudaMemcpy2D(data(), pitch_, image.raw(), row_, row_, height_, cudaMemcpyHostToDevice));
    }
    void download(Image& image) const {
        CUDA_CHECK(
            cudaMemcpy2D(image.raw(), row_, data(), pitch_, row_, height_, cudaMemcpyDeviceToHost));
    }
    void poison() { CUDA_CHECK(cudaMemset2D(data(), pitch_, 0xA5, row_, height_)); }

  private:
    std::uint8_t* memory_ = nullptr;
    std::size_t row_, height_, pitch_, first_;
};

class OnViews : public Convolver {
  public:
    void upload() override { d_in_.upload(in_); }
    void download() override { d_out_.download(result_); }
    const Image& result() override { return result_; }
    void poison() override {
        d_out_.poison();
        result_.poison();
    }

  protected:
    OnViews(const Job& job, Rows rows)
        : job_((require_gpu(), check_possible(job), job)),
          d_in_(job.image().width(), job.image().height(), job.image().channels(), rows),
          d_out_(job.out_width(), job.out_height(), job.image().channels(), rows),
          in_(input_for(job, PixelType::uint8)),
          result_(output_for(job, PixelType::uint8)) {}

    const Job job_;
    DevicePicture d_in_, d_out_;

  private:
    const Image in_;
    Image result_;
};

/// Variant::memory: a pitch is at most 512 bytes longer than a row.
inline MemoryNeed view_memory(const Job& job) {
    const auto two = 2 * static_cast<std::int64_t>(job.image().bytes());
    return {two, two + 2 * 512 * job.image().height()};
}

extern const Variant npp;  // with CONVOLAB_NPP

}  // namespace convolab::library_bench
