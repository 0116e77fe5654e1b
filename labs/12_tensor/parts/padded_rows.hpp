// SPDX-License-Identifier: MIT
// What a job gives to the kernels of the first variants: a padded image of bytes whose rows begin
// at multiples of 128 bytes. So column b of the output (8 bytes) has its window at byte 8 b of the
// rows. This file also makes the variant around such a kernel.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/convolution/padding.hpp"
#include "common/cuda/convolver.hpp"
#include "common/cuda/packed_arithmetic.hpp"
#include "labs/12_tensor/parts/toeplitz.hpp"

namespace convolab::tensor_cores {

struct PaddedRows {
    const std::uint8_t* d_in;
    std::uint8_t* d_out;
    int in_pitch, out_pitch;  ///< bytes from one row to the next
    int in_rows, out_rows;
    int out_bytes;  ///< bytes of an output row
    int start;      ///< what a sum starts with: half the divisor
    FastDivision division;

    /// Below the last row it returns the last row, because a warp computes two rows even if only
    /// one is left.
    __device__ const std::uint8_t* in_row(int y) const {
        return d_in + static_cast<std::int64_t>(min(y, in_rows - 1)) * in_pitch;
    }
    __device__ std::uint8_t* out_row(int y) const {
        return d_out + static_cast<std::int64_t>(y) * out_pitch;
    }
};

class PaddedConvolver final : public CudaConvolver {
  public:
    explicit PaddedConvolver(const Job& job)
        : CudaConvolver(job, {pad(job, PixelType::uint8), job.filter.radius(), {0, kLine, kTail}},
                        {output_for(job, PixelType::uint8), 0, {0, kLine}}),
          matrix(job.filter, job.image().channels()) {}

    /// Copies values to device memory, where they stay as long as this convolver lives.
    template <class T>
    const T* on_device(const std::vector<T>& values) {
        d_matrix_ = DeviceBuffer<unsigned char>(values.size() * sizeof(T));
        d_matrix_.upload(reinterpret_cast<const unsigned char*>(values.data()));
        return reinterpret_cast<const T*>(d_matrix_.data());
    }
    PaddedRows rows() {
        return {d_in<std::uint8_t>(),
                d_out<std::uint8_t>(),
                static_cast<int>(in_pitch()),
                static_cast<int>(out_pitch()),
                static_cast<int>(job.out_height()) + job.filter.ksize() - 1,
                static_cast<int>(job.out_height()),
                static_cast<int>(job.out_width()) * job.image().channels(),
                matrix.divisor() / 2,
                fast_division(matrix.divisor())};
    }
    void set_launch(std::function<void()> launch) { launch_ = std::move(launch); }

    static MemoryNeed memory(const Job& job) {
        const std::int64_t border = job.filter.ksize() - 1, channels = job.image().channels();
        const std::int64_t in = (job.out_width() + border) * channels;
        const std::int64_t out = job.out_width() * channels;
        const std::int64_t in_rows = job.out_height() + border, out_rows = job.out_height();
        return {in * in_rows + out * out_rows, (in + kTail + kLine) * in_rows +
                                                   (out + kLine) * out_rows +
                                                   std::max(in * in_rows, out * out_rows)};
    }

    const Toeplitz matrix;

  private:
    static constexpr int kLine = 128;  // a line of the caches
    static constexpr int kTail = 320;  // a warp reads at most this far past the last pixel

    void launch() override { launch_(); }

    DeviceBuffer<unsigned char> d_matrix_;
    std::function<void()> launch_;
};

/// setup(PaddedConvolver&) prepares the kernel and sets its launch.
inline Variant padded_rows_variant(std::string name, std::string idea, std::vector<int> channels,
                                   void (*setup)(PaddedConvolver&)) {
    const auto make = [setup](const Job& job) {
        if (job.out_width() * job.image().channels() > 1 << 30)
            throw Unsupported(
                "A row of the image is over 2^30 bytes, more than the kernel counts.");
        auto convolver = std::make_unique<PaddedConvolver>(job);
        setup(*convolver);
        return convolver;
    };
    return {.name = std::move(name),
            .idea = std::move(idea),
            .make = make,
            .types = {PixelType::uint8},
            .channels = std::move(channels),
            .memory = PaddedConvolver::memory};
}

}  // namespace convolab::tensor_cores
