// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "common/cuda/backend.hpp"
#include "labs/06_async_streams/parts/band.hpp"

namespace convolab::async_streams {

Band whole_image(const Job& job) {
    return {0, static_cast<int>(job.out_height()), 0, static_cast<int>(job.image().height())};
}

std::vector<Band> cut_in_bands(const Job& job, int count) {
    const Geometry d = geometry_of(job);
    count = std::min(count, d.out_height);
    if (count == 1) return {whole_image(job)};
    std::vector<Band> bands;
    for (int b = 0; b < count; ++b) {
        const auto first = static_cast<int>(std::int64_t{d.out_height} * b / count);
        const auto end = static_cast<int>(std::int64_t{d.out_height} * (b + 1) / count);
        const int low = first + d.origin;
        const int high = end + d.origin + d.ksize - 1;
        // reflect, reflect101 and replicate refer to rows of the band itself; wrap refers to others.
        if (job.border.rule == BorderRule::wrap)
            bands.push_back({first, end - first, low, high});
        else
            bands.push_back({first, end - first, std::max(low, 0), std::min(high, d.height)});
    }
    return bands;
}

BandFilter::BandFilter(const Job& job, const Band& band, const std::uint8_t* h_in,
                       std::uint8_t* h_out, int device)
    : band_(band),
      device_(device),
      job_{geometry_of(job), job.image().channels(), {job.border.rule}},
      kernel_(band_kernel_for(job.filter.ksize())) {
    const std::int64_t out_samples = std::int64_t{job_.out_width} * job_.channels;
    const std::int64_t max_rows = std::int64_t{65535} * kBlockY * kRowsPerThread;
    if (out_samples + kBlockX > (std::int64_t{1} << 31) || band.rows > max_rows)
        throw Unsupported("The image is over 2^31 samples wide or " + std::to_string(max_rows) +
                          " rows high, more than the kernel of this lab counts.");
    grid_ = dim3(static_cast<unsigned>(ceil_divide(out_samples, kBlockX)),
                 static_cast<unsigned>(ceil_divide(band.rows, kBlockY * kRowsPerThread)));
    std::copy(job.filter.taps().begin(), job.filter.taps().end(), taps_.at);

    const auto row_bytes = static_cast<std::size_t>(job_.width) * job_.channels;
    for (int y = band.low; y < band.high;) {  // a piece ends at the end of the image
        const auto from = static_cast<int>(source_index(job_.border.rule, y, job_.height));
        const int rows = std::min(band.high - y, job_.height - from);
        pieces_.push_back({h_in + from * row_bytes,
                           static_cast<std::size_t>(y - band.low) * row_bytes, rows * row_bytes});
        y += rows;
    }
    h_out_ = h_out + static_cast<std::size_t>(band.first * out_samples);

    const OnDevice here(device_);
    d_in_ = DeviceBuffer<std::uint8_t>(static_cast<std::size_t>(band.high - band.low) * row_bytes);
    d_out_ = DeviceBuffer<std::uint8_t>(static_cast<std::size_t>(band.rows * out_samples));
}

void BandFilter::copy_in(cudaStream_t stream) {
    if (timeline_ != nullptr) part_ = timeline_->next_part();
    const TimedStep step(timeline_, {device_, stream, part_, "copy in"});
    for (const Piece& piece : pieces_)
        CUDA_CHECK(cudaMemcpyAsync(d_in_.data() + piece.at, piece.h_from, piece.bytes,
                                   cudaMemcpyHostToDevice, stream));
}

void BandFilter::filter(cudaStream_t stream) {
    const OnDevice here(device_);
    const TimedStep step(timeline_, {device_, stream, part_, "filter"});
    const std::uint8_t* d_in = d_in_.data();
    kernel_<<<grid_, dim3(kBlockX, kBlockY), 0, stream>>>(d_in, d_out_.data(), job_, band_, taps_);
    CUDA_CHECK(cudaGetLastError());
}

void BandFilter::copy_out(cudaStream_t stream) {
    const TimedStep step(timeline_, {device_, stream, part_, "copy out"});
    d_out_.download_async(h_out_, stream);
}

void BandFilter::copy_in_and_wait() {
    const TimedStep step(timeline_, {device_, nullptr, part_, "copy in"});
    for (const Piece& piece : pieces_)
        CUDA_CHECK(
            cudaMemcpy(d_in_.data() + piece.at, piece.h_from, piece.bytes, cudaMemcpyHostToDevice));
}

void BandFilter::copy_out_and_wait() {
    const TimedStep step(timeline_, {device_, nullptr, part_, "copy out"});
    d_out_.download(h_out_);
}

void BandFilter::poison() {
    const OnDevice here(device_);
    d_in_.fill(0xA5);
    d_out_.fill(0xA5);
    CUDA_CHECK(cudaDeviceSynchronize());
}

KernelResources BandFilter::resources() const {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel_));
    KernelResources resources;
    resources.shared_bytes = static_cast<int>(attributes.sharedSizeBytes);
    if (gpu_backend().is_timed()) resources.registers = attributes.numRegs;
    return resources;
}

}  // namespace convolab::async_streams
