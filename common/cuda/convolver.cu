// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <utility>

#include "common/convolution/padding.hpp"
#include "common/cuda/backend.hpp"
#include "common/cuda/convolver.hpp"

namespace convolab {
namespace {

constexpr std::int64_t kMostPixelsASide = std::int64_t{1} << 30;  // x + K stays an int

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

int device_attribute(cudaDeviceAttr attribute) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
    return value;
}

std::size_t rows_of(const Image& image) {
    const std::int64_t planes = image.layout() == Layout::planar ? image.channels() : 1;
    return static_cast<std::size_t>(image.height() * planes);
}
std::size_t row_bytes(const Image& image) { return image.bytes() / rows_of(image); }

unsigned char* bytes_of(Image& image) { return reinterpret_cast<unsigned char*>(image.raw()); }

}  // namespace

std::vector<int> taps_before(const Filter& filter) {
    const int n = filter.ksize() + 1;
    std::vector<int> before(static_cast<std::size_t>(n) * n);
    const auto at = [&](int i, int j) -> int& {
        return before[static_cast<std::size_t>(j) * n + i];
    };
    for (int j = 0; j < filter.ksize(); ++j)
        for (int i = 0; i < filter.ksize(); ++i)
            at(i + 1, j + 1) = at(i, j + 1) + at(i + 1, j) - at(i, j) + filter.tap(i, j);
    return before;
}

DeviceJob describe_for_device(const Job& job) {
    const Image& image = job.image();
    if (image.width() > kMostPixelsASide || image.height() > kMostPixelsASide)
        throw Unsupported("A side of the image is over 2^30 pixels, more than the kernels count.");
    DeviceJob d{};
    d.width = static_cast<int>(image.width());
    d.height = static_cast<int>(image.height());
    d.out_width = static_cast<int>(job.out_width());
    d.out_height = static_cast<int>(job.out_height());
    d.channels = image.channels();
    d.ksize = job.filter.ksize();
    d.radius = job.filter.radius();
    d.origin = job.border.rule == BorderRule::valid ? 0 : -d.radius;
    d.rule = job.border.rule;
    d.outside = static_cast<float>(job.border.value);
    d.divisor = static_cast<float>(job.filter.divisor());
    return d;
}

CudaConvolver::CudaConvolver(const Job& job, Image h_in, Image h_out, DeviceRows in, DeviceRows out)
    : device_job_(describe_for_device(job)),
      h_in_(std::move(h_in)),
      h_out_(std::move(h_out)),
      in_rows_(in),
      out_rows_(out),
      h_taps_(job.filter.taps().begin(), job.filter.taps().end()) {
    require_gpu();
    d_in_ = DeviceBuffer<unsigned char>(in_pitch() * rows_of(h_in_));
    d_out_ = DeviceBuffer<unsigned char>(out_pitch() * rows_of(h_out_));
    if (in_pitch() > row_bytes(h_in_)) d_in_.fill(0);  // what lies between the rows is read too
    d_taps_ = DeviceBuffer<float>(h_taps_.size());
    d_taps_.upload(h_taps_.data());
    if (job.border.rule != BorderRule::renormalise) return;
    const std::vector<int> before = taps_before(job.filter);
    d_taps_before_ = DeviceBuffer<int>(before.size());
    d_taps_before_.upload(before.data());
    device_job_.d_taps_before = d_taps_before_.data();
}

void CudaConvolver::upload() {
    const std::size_t bytes = row_bytes(h_in_);
    if (in_pitch() == bytes) return d_in_.upload(bytes_of(h_in_));
    CUDA_CHECK(cudaMemcpy2D(d_in_.data() + in_rows_.lead, in_pitch(), bytes_of(h_in_), bytes, bytes,
                            rows_of(h_in_), cudaMemcpyHostToDevice));
}

void CudaConvolver::download() {
    const std::size_t bytes = row_bytes(h_out_);
    if (out_pitch() == bytes) return d_out_.download(bytes_of(h_out_));
    CUDA_CHECK(cudaMemcpy2D(bytes_of(h_out_), bytes, d_out_.data() + out_rows_.lead, out_pitch(),
                            bytes, rows_of(h_out_), cudaMemcpyDeviceToHost));
}

std::size_t CudaConvolver::pitch(const Image& image, DeviceRows rows) {
    const auto line = static_cast<std::size_t>(rows.line);
    return (static_cast<std::size_t>(rows.lead) + row_bytes(image) + line - 1) / line * line;
}

int CudaConvolver::processors() { return device_attribute(cudaDevAttrMultiProcessorCount); }

void CudaConvolver::poison() {
    h_out_.poison();
    d_out_.fill(0xA5);
}

void CudaConvolver::check_shape(const LaunchShape& shape,
                                const cudaFuncAttributes& attributes) const {
    if (shape.threads() > static_cast<unsigned>(attributes.maxThreadsPerBlock))
        throw Unsupported("A block of " + std::to_string(shape.block.x) + " x " +
                          std::to_string(shape.block.y) + " threads passes the " +
                          std::to_string(attributes.maxThreadsPerBlock) +
                          " that this kernel can have in one block.");
    const auto most_y = static_cast<unsigned>(device_attribute(cudaDevAttrMaxGridDimY));
    if (shape.grid.y > most_y)
        throw Unsupported("The image needs " + std::to_string(shape.grid.y) +
                          " blocks in the grid's y direction and the device has " +
                          std::to_string(most_y) + "; use a larger block.");
    const auto most_bytes = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    if (shape.shared_bytes > static_cast<std::size_t>(most_bytes))
        throw Unsupported("The tile needs " + std::to_string(shape.shared_bytes) +
                          " bytes of shared memory and a block of this device has " +
                          std::to_string(most_bytes) + ".");
}

void CudaConvolver::note_resources(const cudaFuncAttributes& attributes,
                                   int blocks_per_multiprocessor) {
    resources_.shared_bytes = static_cast<int>(attributes.sharedSizeBytes + shape_.shared_bytes);
    if (!gpu_backend().is_timed()) return;  // an emulator has neither registers nor warps to fill
    resources_.registers = attributes.numRegs;
    const auto warp = device_attribute(cudaDevAttrWarpSize);
    const auto warps = blocks_per_multiprocessor * ceil_div(shape_.threads(), warp);
    resources_.occupancy = static_cast<double>(warps * warp) /
                           device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
}

LaunchShape one_thread_each(const Job& job, std::int64_t columns, std::int64_t rows) {
    return one_block_a_tile(columns, rows, job.settings.block, job.settings.block, 0);
}

LaunchShape one_block_a_tile(std::int64_t columns, std::int64_t rows, int tile, int side,
                             std::size_t shared_bytes) {
    if (side > 32)
        throw Unsupported("A block of " + std::to_string(side) + " x " + std::to_string(side) +
                          " threads passes the limit of 1024 threads; 32 x 32 is the largest.");
    const auto threads = static_cast<unsigned>(side);
    return {dim3(static_cast<unsigned>(ceil_div(columns, tile)),
                 static_cast<unsigned>(ceil_div(rows, tile))),
            dim3(threads, threads), shared_bytes};
}

Image stored(const Job& job, PixelType type, Layout layout) {
    require_type(job, type);
    return convert(job.image(), type, layout);
}

Image output_for(const Job& job, PixelType type, Layout layout) {
    check_possible(job);
    return Image(job.out_width(), job.out_height(), job.image().channels(), type, layout);
}

void require_type(const Job& job, PixelType type) {
    if (job.image().type() != type)
        throw Unsupported("This variant is made for " + to_string(type) + " images, not for " +
                          to_string(job.image().type()) + ".");
}

void require_one_channel(const Job& job) {
    if (job.image().channels() != 1)
        throw Unsupported("This variant is made for images of 1 channel, not of " +
                          std::to_string(job.image().channels()) + ".");
}

void require_constant_taps(const Job& job) {
    if (job.filter.ksize() > kMaxConstantKsize)
        throw Unsupported("A filter of side " + std::to_string(job.filter.ksize()) +
                          " does not fit in the 64 KiB of constant memory; " +
                          std::to_string(kMaxConstantKsize) + " is the largest side.");
}

MemoryNeed cuda_memory(const Job& job) {
    const Image& image = job.image();
    const std::int64_t outputs = job.out_width() * job.out_height() * image.channels();
    const auto sample = static_cast<std::int64_t>(bytes_per_sample(image.type()));
    const std::int64_t bytes = (image.samples() + outputs) * sample;
    return {bytes, bytes};
}

MemoryNeed cuda_padded_memory(const Job& job) {
    const int border = job.filter.ksize() - 1;
    const std::int64_t in = (job.out_width() + border) * (job.out_height() + border);
    const std::int64_t out = job.out_width() * job.out_height();
    const auto bytes =
        (in + out) * job.image().channels() * static_cast<std::int64_t>(sizeof(float));
    return {bytes, bytes};
}

}  // namespace convolab
