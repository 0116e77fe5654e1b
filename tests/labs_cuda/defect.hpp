// SPDX-License-Identifier: MIT
// Kernels that contain a published mistake, beside the labs' kernels. The test launches the
// defective kernel as the labs launch theirs, so a wrong result comes from the kernel. The test
// program is linked with the labs' variants.
#pragma once

#include <random>
#include <utility>
#include <vector>

#include "common/convolution/reference.hpp"
#include "common/cuda/variant.hpp"

namespace convolab::defects {

/// 8-bit samples in which no two rows or columns are alike.
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

inline Image result_of(Convolver& convolver) { return output_of(convolver).copy(); }

inline Comparison against_reference(const Image& result, const Job& job) {
    return compare(result, reference_convolution(job));
}

template <class T>
DeviceBuffer<T> on_device(const std::vector<T>& values) {
    DeviceBuffer<T> buffer(values.size());
    buffer.upload(values.data());
    return buffer;
}
template <class T>
std::vector<T> on_host(const DeviceBuffer<T>& buffer) {
    std::vector<T> values(buffer.size());
    buffer.download(values.data());
    return values;
}

/// Compares the lab's variant with the reference.
inline Comparison check_variant(const Variant& variant, const Job& job) {
    return against_reference(result_of(*variant.make(job)), job);
}

/// The kernel's output for the job, an image of C channels; `setup` is as in a lab's file.
template <int C, class Setup>
Image made_by(const Job& job, const Setup& setup) {
    return result_of(*make_cuda_variant<std::uint8_t, C>(job, setup));
}

}  // namespace convolab::defects
