// SPDX-License-Identifier: MIT
// What every convolution on a GPU does besides its kernel: allocate buffers once, copy in and out,
// copy the taps, and compute the frame of border rule renormalise.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/frame.hpp"
#include "common/cuda/launch_shape.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/view.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

/// Constant memory is 64 KiB: taps as floats up to K = 127.
inline constexpr int kMaxConstantKsize = 127;
inline constexpr int kMaxConstantTaps = kMaxConstantKsize * kMaxConstantKsize;

/// How the rows of an image are stored in device memory: `lead` bytes before the first pixel, at
/// least `tail` after the last, and a length rounded up to a multiple of `line` bytes. By default
/// there are no gaps, as on the host.
struct DeviceRows {
    int lead = 0;
    int line = 1;
    int tail = 0;
};

/// An image as a variant stores it: in host memory, with p pixels of border or without; and how its
/// rows are stored in device memory.
struct ImageStorage {
    Image image;
    int border = 0;
    DeviceRows rows = {};
};

/// Throws Unsupported for an image of more than 2^30 pixels on a side.
Geometry geometry_of(const Job& job);

class CudaConvolver : public Convolver, public PreparedKernel {
  public:
    ~CudaConvolver() override;  // not inline: each instance of CudaVariant would have it again
    void upload() override;
    void run() final;
    void download() override;
    const Image& result() override { return out_.image; }
    void poison() override;
    KernelResources resources() const override { return kernel_resources(); }

    /// Copies the taps to a __constant__ array in each upload(). Throws Unsupported where they do
    /// not fit.
    template <std::size_t size>
    void taps_in(const float (&c_taps)[size]) {
        require_taps(size);
        copy_taps_ = [this, &c_taps] {
            CUDA_CHECK(cudaMemcpyToSymbol(c_taps, h_taps_.data(), h_taps_.size() * sizeof(float)));
        };
    }

    const Job job;
    const float* d_taps() const { return d_taps_.data(); }

  protected:
    /// Throws Skipped where there is no device that can do it.
    CudaConvolver(const Job& job, ImageStorage&& in, ImageStorage&& out);

    /// Launches the variant's kernels on the default stream and does not wait.
    virtual void launch() = 0;

    /// The first pixel of the first row, with its border where there is one.
    template <class T>
    const T* d_in() const {
        return reinterpret_cast<const T*>(d_in_.data() + in_.rows.lead);
    }
    template <class T>
    T* d_out() {
        return reinterpret_cast<T*>(d_out_.data() + out_.rows.lead);
    }
    /// Bytes from one row to the next.
    std::size_t in_pitch() const { return pitch(in_); }
    std::size_t out_pitch() const { return pitch(out_); }

  private:
    static std::size_t pitch(const ImageStorage& storage);
    void require_taps(std::size_t max_taps) const;
    StridedImage strided_image(const ImageStorage& storage, unsigned char* d_data) const;

    ImageStorage in_;
    ImageStorage out_;
    std::vector<float> h_taps_;
    std::function<void()> copy_taps_;
    DeviceBuffer<unsigned char> d_in_;
    DeviceBuffer<unsigned char> d_out_;
    /// Where rows lie apart on the device: an image as the host has it. It crosses the bus in one
    /// copy, and the device moves the rows. Copies of single rows from and to pageable memory take
    /// much longer.
    DeviceBuffer<unsigned char> d_together_;
    DeviceBuffer<float> d_taps_;
};

/// The job's image in this type and layout. Throws Unsupported for another type.
Image input_for(const Job& job, PixelType type, Layout layout = Layout::interleaved);
/// An output for the job, in this type and layout.
Image output_for(const Job& job, PixelType type, Layout layout = Layout::interleaved);

/// Variant::memory: input and output, on host and device, as the image is stored.
MemoryNeed cuda_memory(const Job& job);
/// The same with a padded input and samples of type T.
template <class T>
MemoryNeed cuda_padded_memory(const Job& job) {
    const int border = job.filter.ksize() - 1;
    const std::int64_t in = (job.out_width() + border) * (job.out_height() + border);
    const std::int64_t out = job.out_width() * job.out_height();
    const auto bytes = (in + out) * job.image().channels() * static_cast<std::int64_t>(sizeof(T));
    return {bytes, bytes};
}

}  // namespace convolab
