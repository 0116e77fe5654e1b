// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What every variant on a GPU does besides its kernel: device buffers allocated once, copies in and
// out, the taps and the divisors, the shape of the launch checked before it. A variant adds a
// kernel, a constructor that says how it is launched, and run().
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/device_job.hpp"
#include "common/cuda/launch.hpp"
#include "common/cuda/memory.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

/// Constant memory is 64 KiB: taps as floats up to K = 127.
inline constexpr int kMaxConstantKsize = 127;
inline constexpr int kMaxConstantTaps = kMaxConstantKsize * kMaxConstantKsize;

/// kernel<<<grid, block, shared_bytes>>>
struct LaunchShape {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;

    unsigned threads() const { return block.x * block.y * block.z; }  ///< of a block
};

/// How the rows of an image lie in device memory: `lead` bytes before the first pixel, rounded up
/// to a multiple of `line` bytes. By default without gaps, as on the host.
struct DeviceRows {
    int lead = 0;
    int line = 1;
};

/// What a kernel has to know of the job; without the table of renormalise. Throws Unsupported for
/// an image over 2^30 pixels wide or high.
DeviceJob describe_for_device(const Job& job);
/// DeviceJob::d_taps_before: (K + 1)^2 sums of the taps above and left, row by row.
std::vector<int> taps_before(const Filter& filter);

class CudaConvolver : public Convolver {
  public:
    void upload() override;
    void download() override;
    Image result() const override { return h_out_; }
    void poison() override;
    KernelResources resources() const override { return resources_; }

  protected:
    /// h_in: the image in the storage that the kernel reads; h_out: an image like the one that it
    /// writes. Throws Skipped where there is no device that can do it.
    CudaConvolver(const Job& job, Image h_in, Image h_out, DeviceRows in = {}, DeviceRows out = {});

    /// Notes the kernel's launch and its resources. Throws Unsupported where the device cannot
    /// launch it: too many threads, blocks or bytes of shared memory.
    template <class... Parameters>
    void prepare(void (*kernel)(Parameters...), const LaunchShape& shape);

    /// How many blocks of so many threads the whole device holds at a time.
    template <class... Parameters>
    static int resident_blocks(void (*kernel)(Parameters...), int threads);

    /// The first pixel of the first row.
    template <class T>
    const T* d_in() const {
        return reinterpret_cast<const T*>(d_in_.data() + in_rows_.lead);
    }
    template <class T>
    T* d_out() {
        return reinterpret_cast<T*>(d_out_.data() + out_rows_.lead);
    }
    /// Bytes from one row to the next.
    std::size_t in_pitch() const { return pitch(h_in_, in_rows_); }
    std::size_t out_pitch() const { return pitch(h_out_, out_rows_); }
    const float* d_taps() const { return d_taps_.data(); }
    const std::vector<float>& h_taps() const { return h_taps_; }
    std::size_t taps_bytes() const { return h_taps_.size() * sizeof(float); }

    DeviceJob device_job_;
    LaunchShape shape_;

  private:
    static std::size_t pitch(const Image& image, DeviceRows rows);
    static int processors();
    void check_shape(const LaunchShape& shape, const cudaFuncAttributes& attributes) const;
    void note_resources(const cudaFuncAttributes& attributes, int blocks_per_multiprocessor);

    Image h_in_;
    Image h_out_;
    DeviceRows in_rows_;
    DeviceRows out_rows_;
    std::vector<float> h_taps_;
    DeviceBuffer<unsigned char> d_in_;
    DeviceBuffer<unsigned char> d_out_;
    DeviceBuffer<float> d_taps_;
    DeviceBuffer<int> d_taps_before_;
    KernelResources resources_;
};

template <class... Parameters>
int CudaConvolver::resident_blocks(void (*kernel)(Parameters...), int threads) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
    return blocks * processors();
}

template <class... Parameters>
void CudaConvolver::prepare(void (*kernel)(Parameters...), const LaunchShape& shape) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    check_shape(shape, attributes);
    if (shape.shared_bytes > 48 * 1024)  // more has to be asked for
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shape.shared_bytes)));
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, static_cast<int>(shape.threads()), shape.shared_bytes));
    shape_ = shape;
    note_resources(attributes, blocks);
}

/// Blocks of B x B threads, B = the block setting, one thread for each of columns x rows.
LaunchShape one_thread_each(const Job& job, std::int64_t columns, std::int64_t rows);
/// Blocks of side x side threads, one for each tile of tile x tile of columns x rows.
LaunchShape one_block_a_tile(std::int64_t columns, std::int64_t rows, int tile, int side,
                             std::size_t shared_bytes);

/// The job's image in this layout, and an output for it. stored() throws Unsupported where the
/// image is of another pixel type: its row would declare bytes that are not the ones moved.
Image stored(const Job& job, PixelType type, Layout layout = Layout::interleaved);
Image output_for(const Job& job, PixelType type, Layout layout = Layout::interleaved);

/// Throws Unsupported for an image of another pixel type.
void require_type(const Job& job, PixelType type);
/// Throws Unsupported for an image of more channels.
void require_one_channel(const Job& job);
/// Throws Unsupported where the taps do not fit in constant memory.
void require_constant_taps(const Job& job);

/// Variant::memory: input and output, on host and device, as the image is stored.
MemoryNeed cuda_memory(const Job& job);
/// The same for a padded copy in floats.
MemoryNeed cuda_padded_memory(const Job& job);

/// Variant::make of a class template on the pixel type.
template <template <class> class Kind>
std::unique_ptr<Convolver> make_uint8_or_float32(const Job& job) {
    if (job.image().type() == PixelType::float32) return std::make_unique<Kind<float>>(job);
    return std::make_unique<Kind<std::uint8_t>>(job);
}
/// Variant::make of any other class.
template <class Kind>
std::unique_ptr<Convolver> make_one(const Job& job) {
    return std::make_unique<Kind>(job);
}

}  // namespace convolab
