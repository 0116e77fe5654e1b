// SPDX-License-Identifier: MIT
// A variant on the CPU is a function with its loops, and the type of what they read:
//
//   void convolve(const Padded<float>& job, Image& result) { ... }
//   const Variant flat = cpu_variant({.name = "flat", .idea = "..."}, convolve);
//
// The input is made from the job outside the timed run: padding, conversion, allocation. Any type
// with a constructor from Job will do; it may also have
//   bytes(job)         memory that it allocates, unless that is about one copy of the image
//   layout             of the output, unless that is interleaved
//   makes_whole_frame  true if the function computes the frame of border `renormalise` itself
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "common/convolution/padding.hpp"
#include "common/convolution/renormalise.hpp"
#include "common/variant/backend.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

/// The filter as most loops read it.
struct FloatTaps {
    explicit FloatTaps(const Filter& filter)
        : k(filter.ksize()),
          taps(filter.taps().begin(), filter.taps().end()),
          divisor(static_cast<float>(filter.divisor())) {}

    int k;                    ///< side of the filter
    std::vector<float> taps;  ///< K * K, row by row
    float divisor;
};

/// An input: the image with p = K / 2 pixels of border on each side, interleaved.
template <class T>
struct Padded : FloatTaps {
    explicit Padded(const Job& job) : FloatTaps(job.filter), image(pad(job, pixel_type_of<T>())) {}

    Image image;

    static std::int64_t bytes(const Job& job) {
        return padded_samples(job) * static_cast<std::int64_t>(sizeof(T));
    }
};

/// An input: the image without a border; the loops call outside() for a pixel that is not in it.
template <class T, Layout L = Layout::interleaved>
struct Unpadded : FloatTaps {
    explicit Unpadded(const Job& job)
        : FloatTaps(job.filter),
          p(job.border.rule == BorderRule::valid ? 0 : job.filter.radius()),
          border(job.border),
          fits(job.image().type() == pixel_type_of<T>() && job.image().layout() == L),
          converted(fits ? Image() : convert(job.image(), pixel_type_of<T>(), L)),
          image(fits ? job.image() : converted) {}
    Unpadded(const Unpadded&) = delete;
    Unpadded& operator=(const Unpadded&) = delete;

    /// The sample that the border rule puts at a pixel outside the image. Never inlined: it is
    /// almost never called, and the loops around the call stay short.
    [[gnu::noinline, gnu::cold]] float outside(std::int64_t x, std::int64_t y, int c) const {
        x = source_index(border.rule, x, image.width());
        y = source_index(border.rule, y, image.height());
        return x < 0 || y < 0 ? static_cast<float>(border.value)
                              : static_cast<float>(image.data<T>()[image.index(x, y, c)]);
    }

    static constexpr Layout layout = L;
    std::int64_t p;  ///< from an output pixel back to its first tap: K / 2, with border `valid` 0
    Border border;
    bool fits;
    Image converted;     ///< empty if the job's image fits
    const Image& image;  ///< the job's, or `converted`
};

/// A function and its input, bound to a job.
template <class Input>
class CpuConvolver final : public Convolver {
  public:
    using Run = void (*)(Input&, Image&);

    CpuConvolver(const Job& job, Run run)
        : job_(job), run_(run), input_(job), output_(make_output(job)) {}

    void run() override {
        run_(input_, output_);
        if constexpr (!requires { Input::makes_whole_frame; })
            renormalise_frame(job_, output_, 0, output_.height());
    }
    const Image& result() override { return output_; }
    void poison() override { output_.poison(); }

  private:
    static Image make_output(const Job& job) {
        Layout layout = Layout::interleaved;
        if constexpr (requires { Input::layout; }) layout = Input::layout;
        const Image& image = job.image();
        return {job.out_width(), job.out_height(), image.channels(), image.type(), layout};
    }

    Job job_;
    Run run_;
    std::remove_const_t<Input> input_;
    Image output_;
};

/// Completes `variant` with its function, or with one for each of variant.types, in their order.
template <class... Inputs>
Variant cpu_variant(Variant variant, void (*... runs)(Inputs&, Image&)) {
    variant.make = [types = variant.types, runs...](const Job& job) {
        check_possible(job);
        std::unique_ptr<Convolver> made;
        std::size_t n = 0;
        const auto make = [&]<class Input>(void (*run)(Input&, Image&)) {
            if (types.at(n++) == job.image().type())
                made = std::make_unique<CpuConvolver<Input>>(job, run);
        };
        (make(runs), ...);
        return made;
    };
    if constexpr ((requires(const Job& job) { Inputs::bytes(job); } && ...))
        variant.memory = [](const Job& job) {
            const std::int64_t input = std::max({Inputs::bytes(job)...});
            const auto sample = static_cast<std::int64_t>(bytes_per_sample(job.image().type()));
            return MemoryNeed{
                input + job.out_width() * job.out_height() * job.image().channels() * sample, 0};
        };
    return variant;
}

}  // namespace convolab
