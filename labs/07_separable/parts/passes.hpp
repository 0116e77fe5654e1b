// SPDX-License-Identifier: MIT
// What the variants with two passes of floats share: the taps of both passes, and a convolver that
// runs one kernel after the other, with the image of row sums between them. Every sum is a whole
// number below 2^24, so float32 holds it exactly, in any order of additions.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "common/convolution/separable_taps.hpp"
#include "common/cuda/dispatch.hpp"

namespace convolab::separable {

/// Passed by value, so it is in the constant memory of the launch: 2,044 of the 4,096 bytes there.
struct LineTaps {
    static constexpr int kMax = 255;
    float row_total;  ///< sum of the row's taps
    float column[kMax];
    float row[kMax];
};

/// Throws Unsupported for a filter that is not an outer product.
inline LineTaps line_taps(const Filter& filter) {
    const SeparableTaps taps = taps_of(filter);
    LineTaps lines{};
    std::copy(taps.column.begin(), taps.column.end(), lines.column);
    std::copy(taps.row.begin(), taps.row.end(), lines.row);
    for (const std::int32_t tap : taps.row) lines.row_total += static_cast<float>(tap);
    return lines;
}

/// Row sum (x, y, c): x of the output, y of the input, inside the image or outside.
template <class View>
__device__ float row_sum(const float* d_sums, const View& image, const LineTaps& taps, int x, int y,
                         int c) {
    if (!image.border.find(y, image.height)) return image.outside * taps.row_total;
    return d_sums[image.out(x, y, c)];
}

/// The two kernels of a variant, bound to one job: 8-bit images, and the image of row sums between
/// the kernels.
template <class ImageView>
class TwoPasses final : public CudaConvolver {
  public:
    TwoPasses(const Job& job, const ImageView& view)
        : CudaConvolver(job, {input_for(job, PixelType::uint8)},
                        {output_for(job, PixelType::uint8)}),
          view(view),
          taps(line_taps(job.filter)),
          d_sums_(static_cast<std::size_t>(job.out_width() * job.image().height() *
                                           job.image().channels())) {}

    /// The launch of the first kernel, one thread per row sum, and of the second, one per output
    /// pixel; both with `bytes` of shared memory per block.
    template <class... A, class... D>
    void prepare_passes(void (*along)(A...), void (*down)(D...), std::size_t bytes) {
        along_shape = one_thread_each(job, job.out_width(), job.image().height());
        along_shape.shared_bytes = bytes;
        prepare(along, along_shape);
        down_shape = one_thread_per_pixel(job);
        down_shape.shared_bytes = bytes;
        prepare(down, down_shape);
    }
    void set_launch(std::function<void()> launch) { launch_ = std::move(launch); }

    const std::uint8_t* d_in() const { return CudaConvolver::d_in<std::uint8_t>(); }
    std::uint8_t* d_out() { return CudaConvolver::d_out<std::uint8_t>(); }
    float* d_sums() { return d_sums_.data(); }

    const ImageView view;
    const LineTaps taps;
    LaunchShape along_shape, down_shape;

  private:
    void launch() override { launch_(); }

    DeviceBuffer<float> d_sums_;  // out_width x height of the input, interleaved
    std::function<void()> launch_;
};

template <class Setup>
Variant two_pass_variant(std::string name, std::string idea, const Setup& setup) {
    const auto make = [setup](const Job& job) {
        return with_channels(job, [&]<int C>() {
            return with_view<C>(job, [&](const auto& view) -> std::unique_ptr<Convolver> {
                using View = std::remove_cvref_t<decltype(view)>;
                auto variant = std::make_unique<TwoPasses<View>>(job, view);
                setup(*variant);
                return variant;
            });
        });
    };
    const auto memory = [](const Job& job) {
        MemoryNeed need = cuda_memory(job);
        need.device += 4 * job.out_width() * job.image().height() * job.image().channels();
        return need;
    };
    return {.name = std::move(name),
            .idea = std::move(idea),
            .make = make,
            .uses = kUsesBlock,
            .types = {PixelType::uint8},
            .memory = memory};
}

}  // namespace convolab::separable
