// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "common/convolution/padding.hpp"
#include "common/cuda/backend.hpp"
#include "common/cuda/convolver.hpp"

namespace convolab {
namespace {

constexpr std::int64_t kMaxPixelsPerSide = std::int64_t{1} << 30;  // x + K stays an int

std::size_t rows_of(const Image& image) {
    const std::int64_t planes = image.layout() == Layout::planar ? image.channels() : 1;
    return static_cast<std::size_t>(image.height() * planes);
}
std::size_t row_bytes(const Image& image) { return image.bytes() / rows_of(image); }

unsigned char* bytes_of(Image& image) { return reinterpret_cast<unsigned char*>(image.raw()); }

}  // namespace

Geometry geometry_of(const Job& job) {
    const Image& image = job.image();
    if (image.width() > kMaxPixelsPerSide || image.height() > kMaxPixelsPerSide)
        throw Unsupported("A side of the image is over 2^30 pixels, more than the kernels count.");
    Geometry g{};
    g.width = static_cast<int>(image.width());
    g.height = static_cast<int>(image.height());
    g.out_width = static_cast<int>(job.out_width());
    g.out_height = static_cast<int>(job.out_height());
    g.ksize = job.filter.ksize();
    g.radius = job.filter.radius();
    g.origin = job.border.rule == BorderRule::valid ? 0 : -g.radius;
    g.outside = static_cast<float>(job.border.value);
    g.divisor = Divisor(job.filter.divisor());
    return g;
}

CudaConvolver::~CudaConvolver() = default;

CudaConvolver::CudaConvolver(const Job& job, ImageStorage&& in, ImageStorage&& out)
    : job(job),
      in_(std::move(in)),
      out_(std::move(out)),
      h_taps_(job.filter.taps().begin(), job.filter.taps().end()) {
    require_gpu();
    d_in_ = DeviceBuffer<unsigned char>(in_pitch() * rows_of(in_.image));
    d_out_ = DeviceBuffer<unsigned char>(out_pitch() * rows_of(out_.image));
    const bool in_apart = in_pitch() > row_bytes(in_.image);
    const bool out_apart = out_pitch() > row_bytes(out_.image);
    if (in_apart) d_in_.fill(0);  // what lies between the rows is read too
    d_together_ = DeviceBuffer<unsigned char>(
        std::max(in_apart ? in_.image.bytes() : 0, out_apart ? out_.image.bytes() : 0));
    d_taps_ = DeviceBuffer<float>(h_taps_.size());
    d_taps_.upload(h_taps_.data());
}

void CudaConvolver::upload() {
    if (copy_taps_) copy_taps_();
    const std::size_t bytes = row_bytes(in_.image);
    if (in_pitch() == bytes) return d_in_.upload(bytes_of(in_.image));
    CUDA_CHECK(cudaMemcpy(d_together_.data(), bytes_of(in_.image), in_.image.bytes(),
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(d_in_.data() + in_.rows.lead, in_pitch(), d_together_.data(), bytes,
                            bytes, rows_of(in_.image), cudaMemcpyDeviceToDevice));
}

void CudaConvolver::run() {
    launch();
    CUDA_CHECK(cudaGetLastError());
    if (job.border.rule != BorderRule::renormalise) return;
    renormalise_frame({strided_image(in_, d_in_.data()), strided_image(out_, d_out_.data()),
                       in_.image.type(), out_.image.type(), static_cast<int>(job.out_width()),
                       static_cast<int>(job.out_height()), job.image().channels(),
                       job.filter.ksize(), d_taps_.data(),
                       job.image().type() != PixelType::float32});
}

void CudaConvolver::download() {
    const std::size_t bytes = row_bytes(out_.image);
    if (out_pitch() == bytes) return d_out_.download(bytes_of(out_.image));
    CUDA_CHECK(cudaMemcpy2D(d_together_.data(), bytes, d_out_.data() + out_.rows.lead, out_pitch(),
                            bytes, rows_of(out_.image), cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemcpy(bytes_of(out_.image), d_together_.data(), out_.image.bytes(),
                          cudaMemcpyDeviceToHost));
}

StridedImage CudaConvolver::strided_image(const ImageStorage& storage,
                                          unsigned char* d_data) const {
    const Image& image = storage.image;
    const auto sample = static_cast<std::int64_t>(bytes_per_sample(image.type()));
    const auto row = static_cast<std::int64_t>(pitch(storage)) / sample;
    const bool interleaved = image.layout() == Layout::interleaved;
    const std::int64_t pixel = interleaved ? image.channels() : 1;
    const std::int64_t channel = interleaved ? 1 : row * image.height();
    const std::int64_t first = storage.border * (row + pixel);
    return {d_data + storage.rows.lead + first * sample, row, pixel, channel};
}

std::size_t CudaConvolver::pitch(const ImageStorage& storage) {
    const auto line = static_cast<std::size_t>(storage.rows.line);
    const std::size_t bytes = static_cast<std::size_t>(storage.rows.lead) +
                              row_bytes(storage.image) +
                              static_cast<std::size_t>(storage.rows.tail);
    return (bytes + line - 1) / line * line;
}

void CudaConvolver::poison() {
    out_.image.poison();
    d_out_.fill(0xA5);
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

void CudaConvolver::require_taps(std::size_t max_taps) const {
    if (h_taps_.size() > max_taps)
        throw OverLimit("A filter of side " + std::to_string(job.filter.ksize()) + " has " +
                        std::to_string(h_taps_.size()) +
                        " taps and the variant's array in constant memory " +
                        std::to_string(max_taps) + "; 64 KiB hold those of side " +
                        std::to_string(kMaxConstantKsize) + ".");
}

Image input_for(const Job& job, PixelType type, Layout layout) {
    if (job.image().type() != type)
        throw Unsupported("This variant is made for " + to_string(type) + " images, not for " +
                          to_string(job.image().type()) + ".");
    return convert(job.image(), type, layout);
}

Image output_for(const Job& job, PixelType type, Layout layout) {
    check_possible(job);
    return Image(job.out_width(), job.out_height(), job.image().channels(), type, layout);
}

MemoryNeed cuda_memory(const Job& job) {
    const Image& image = job.image();
    const std::int64_t outputs = job.out_width() * job.out_height() * image.channels();
    const auto sample = static_cast<std::int64_t>(bytes_per_sample(image.type()));
    const std::int64_t bytes = (image.samples() + outputs) * sample;
    return {bytes, bytes};
}

}  // namespace convolab
