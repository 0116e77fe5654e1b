// SPDX-License-Identifier: MIT
// From a kernel to an entry of a lab's list. A page of labs 03 to 05 is a kernel and one call:
//
//     const Variant coalesced = cuda_variant<std::uint8_t, float>(
//         "coalesced", "one thread per pixel, neighbouring threads are in one row",
//         []<class T, class View>(CudaVariant<T, View>& v) {
//             v.prepare(convolve<T, View>, one_thread_per_pixel(v.job));
//             v.set_launch([&v] {
//                 convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
//             });
//         });
//
// The setup runs once per job: it says how the kernel is launched and may throw Unsupported. The
// function given to set_launch() runs in every iteration, and it is what is timed.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "common/convolution/padding.hpp"
#include "common/cuda/convolver.hpp"
#include "common/cuda/dispatch.hpp"

namespace convolab {

/// One variant bound to one job. T: type of a sample in device memory.
template <class T, class ImageView>
class CudaVariant final : public CudaConvolver {
  public:
    CudaVariant(const Job& job, const ImageView& view, ImageStorage&& in, ImageStorage&& out)
        : CudaConvolver(job, std::move(in), std::move(out)), view(view) {}

    void set_launch(std::function<void()> launch) { launch_ = std::move(launch); }

    const T* d_in() const { return CudaConvolver::d_in<T>(); }
    T* d_out() { return CudaConvolver::d_out<T>(); }

    const ImageView view;

  private:
    void launch() override { launch_(); }
    std::function<void()> launch_;
};

/// The variant for images of type T and C channels; is_timed: as for with_view().
template <class T, int C, bool is_timed = C == 3, class Setup>
std::unique_ptr<Convolver> make_cuda_variant(const Job& job, const Setup& setup) {
    constexpr PixelType type = pixel_type_of<T>();
    return with_view<C, is_timed>(job, [&](const auto& view) -> std::unique_ptr<Convolver> {
        using View = std::remove_cvref_t<decltype(view)>;
        auto variant = std::make_unique<CudaVariant<T, View>>(
            job, view, ImageStorage{input_for(job, type)}, ImageStorage{output_for(job, type)});
        setup(*variant);
        return variant;
    });
}

/// A kernel that tests its taps against the border. T...: the sample types it is made for.
template <class... T, class Setup>
Variant cuda_variant(std::string name, std::string idea, const Setup& setup) {
    const auto make = [setup](const Job& job) {
        return with_channels(job, [&]<int C>() {
            std::unique_ptr<Convolver> made;
            const auto make_for = [&]<class U>(U) {
                if (job.image().type() == pixel_type_of<U>())
                    made = make_cuda_variant<U, C>(job, setup);
            };
            (make_for(T{}), ...);
            return made;
        });
    };
    return {.name = std::move(name),
            .idea = std::move(idea),
            .make = make,
            .uses = kUsesBlock,
            .types = {pixel_type_of<T>()...},
            .memory = cuda_memory};
}

/// The same for images of one channel of int32.
template <class Setup>
Variant gray_variant(std::string name, std::string idea, const Setup& setup) {
    return {.name = std::move(name),
            .idea = std::move(idea),
            .make =
                [setup](const Job& job) {
                    return make_cuda_variant<std::int32_t, 1, true>(job, setup);
                },
            .uses = kUsesBlock,
            .types = {PixelType::int32},
            .channels = {1},
            .memory = cuda_memory};
}

/// A kernel that reads a padded copy of 8-bit images, with samples of type T in device memory.
template <class T, class Setup>
Variant padded_variant(std::string name, std::string idea, const Setup& setup,
                       Layout layout = Layout::interleaved) {
    const auto make = [setup, layout](const Job& job) {
        return with_channels(job, [&]<int C>() -> std::unique_ptr<Convolver> {
            constexpr PixelType type = pixel_type_of<T>();
            const Geometry g = geometry_of(job);
            const int border = 2 * g.radius;
            const PaddedView<C> view{
                g.out_width, g.out_height, g.out_width + border, g.out_height + border, g.ksize,
                g.radius,    g.divisor};
            const std::int64_t row = static_cast<std::int64_t>(view.padded_width) * C;
            if (row * g.ksize > std::numeric_limits<int>::max())
                throw Unsupported(
                    "K rows of the padded image have over 2^31 samples, more than "
                    "the kernel counts.");
            auto variant = std::make_unique<CudaVariant<T, PaddedView<C>>>(
                job, view, ImageStorage{convert(pad(job, type), type, layout), g.radius},
                ImageStorage{output_for(job, type, layout)});
            setup(*variant);
            return variant;
        });
    };
    return {.name = std::move(name),
            .idea = std::move(idea),
            .make = make,
            .uses = kUsesBlock,
            .types = {PixelType::uint8},
            .memory = cuda_padded_memory<T>};
}

}  // namespace convolab
