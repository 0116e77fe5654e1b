// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The pieces of the variants that filter in two passes, along the rows and down the columns, in
// floats: the taps of both, and a convolver that runs one kernel after the other with the image of
// row sums between them. Every sum is an integer below 2^24, exact in float32 in any order.
#pragma once

#include "common/cuda/convolver.hpp"
#include "labs/07_separable/reduced_taps.hpp"

namespace convolab::separable {

/// Passed by value, so that it lies in the constant memory of the launch: 2,044 bytes of 4,096.
struct LineTaps {
    static constexpr int kMost = 255;
    float row_total;  ///< sum of the row's taps
    float column[kMost];
    float row[kMost];
};

/// Throws Unsupported where the filter is no outer product.
inline LineTaps line_taps(const Filter& filter) {
    const SeparableTaps taps = taps_of(filter);
    LineTaps lines{};
    std::copy(taps.column.begin(), taps.column.end(), lines.column);
    std::copy(taps.row.begin(), taps.row.end(), lines.row);
    for (const std::int32_t tap : taps.row) lines.row_total += static_cast<float>(tap);
    return lines;
}

/// Row sum (x, y, c): x of the output, y of the input, inside or outside of it.
inline __device__ float row_sum_at(const float* d_sums, const DeviceJob& job, const LineTaps& taps,
                                   int x, int y, int c) {
    const int row = job.row(y);
    if (row < 0) return job.outside * taps.row_total;
    return d_sums[job.out_index(x, row, c)];
}

class TwoPasses final : public CudaConvolver {
  public:
    using Along = void (*)(const std::uint8_t* d_in, float* d_sums, DeviceJob job, LineTaps taps);
    using Down = void (*)(const float* d_sums, std::uint8_t* d_out, DeviceJob job, LineTaps taps);

    /// along_bytes, down_bytes: shared memory of a block.
    TwoPasses(const Job& job, Along along, std::size_t along_bytes, Down down,
              std::size_t down_bytes)
        : CudaConvolver(job, stored(job, PixelType::uint8), output_for(job, PixelType::uint8)),
          along_(along),
          down_(down),
          taps_(line_taps(job.filter)),
          d_sums_(static_cast<std::size_t>(job.out_width() * job.image().height() *
                                           job.image().channels())) {
        along_shape_ = one_thread_each(job, job.out_width(), job.image().height());
        along_shape_.shared_bytes = along_bytes;
        prepare(along, along_shape_);
        LaunchShape down_shape = one_thread_each(job, job.out_width(), job.out_height());
        down_shape.shared_bytes = down_bytes;
        prepare(down, down_shape);
    }

    void run() override {
        launch(along_, along_shape_.grid, along_shape_.block, along_shape_.shared_bytes, nullptr,
               d_in<std::uint8_t>(), d_sums_.data(), device_job_, taps_);
        launch(down_, shape_.grid, shape_.block, shape_.shared_bytes, nullptr,
               static_cast<const float*>(d_sums_.data()), d_out<std::uint8_t>(), device_job_,
               taps_);
    }

    static MemoryNeed memory(const Job& job) {
        MemoryNeed need = cuda_memory(job);
        need.device += 4 * job.out_width() * job.image().height() * job.image().channels();
        return need;
    }

  private:
    Along along_;
    Down down_;
    LineTaps taps_;
    LaunchShape along_shape_;
    DeviceBuffer<float> d_sums_;  // out_width x height of the input, interleaved
};

}  // namespace convolab::separable
