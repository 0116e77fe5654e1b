// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Kernels with a published mistake in them, beside the labs' kernels. A defective kernel stands in
// the test and runs on the labs' own base class, so that what comes out wrong is the kernel's
// doing. The test files include the .cu file of the variant that they check.
#pragma once

#include <random>
#include <utility>

#include "common/convolution/padding.hpp"
#include "common/convolution/reference.hpp"
#include "common/cuda/convolver.hpp"

namespace convolab::defects {

/// 8-bit samples, no two rows or columns alike.
inline Image noise(std::int64_t width, std::int64_t height, int channels = 3) {
    std::mt19937 random(static_cast<unsigned>(width * 31 + height));
    Image image(width, height, channels);
    for (std::int64_t i = 0; i < image.samples(); ++i)
        image.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(random());
    return image;
}

inline Job job_of(const Image& image, const Filter& filter, int block, Border border = {}) {
    Job job{{&image}, filter, border, {}};
    job.settings.block = block;
    return job;
}

inline Image result_of(Convolver& convolver) {
    convolver.poison();
    convolver.upload();
    convolver.run();
    convolver.download();
    return convolver.result();
}

inline Comparison against_reference(const Image& result, const Job& job) {
    return compare(result, reference_convolution(job));
}

/// How the lab's variant compares with the reference.
inline Comparison check_variant(const Variant& variant, const Job& job) {
    return against_reference(result_of(*variant.make(job)), job);
}

/// A kernel launched as the labs launch theirs.
template <class T>
class Kernel final : public CudaConvolver {
  public:
    using Function = void (*)(const T* d_in, T* d_out, const float* d_taps, DeviceJob job);

    Kernel(const Job& job, Image h_in, Image h_out, Function function, const LaunchShape& shape)
        : CudaConvolver(job, std::move(h_in), std::move(h_out)), function_(function) {
        prepare(function, shape);
    }
    void run() override {
        launch(function_, shape_.grid, shape_.block, shape_.shared_bytes, nullptr, d_in<T>(),
               d_out<T>(), d_taps(), device_job_);
    }

  private:
    Function function_;
};

/// What the kernel makes of the job's bytes.
inline Image bytes_by(Kernel<std::uint8_t>::Function function, const Job& job,
                      const LaunchShape& shape) {
    Kernel<std::uint8_t> kernel(job, stored(job, PixelType::uint8),
                                output_for(job, PixelType::uint8), function, shape);
    return result_of(kernel);
}

}  // namespace convolab::defects
