// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/cuda/byte_rows.hpp"
#include "labs/06_async_streams/parts/band.hpp"

namespace convolab::async_streams {
namespace {

std::size_t pitch(const DeviceRows& rows, std::size_t row_bytes) {
    return packed_pitch(rows, static_cast<std::int64_t>(row_bytes));
}

/// One copy where the rows follow each other without gaps on both sides.
void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
               std::size_t row_bytes, int rows, cudaMemcpyKind kind, cudaStream_t stream) {
    const auto count = static_cast<std::size_t>(rows);
    if (to_pitch == row_bytes && from_pitch == row_bytes)
        CUDA_CHECK(cudaMemcpyAsync(to, from, count * row_bytes, kind, stream));
    else
        CUDA_CHECK(
            cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row_bytes, count, kind, stream));
}

void copy_rows_and_wait(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                        std::size_t row_bytes, int rows, cudaMemcpyKind kind) {
    const auto count = static_cast<std::size_t>(rows);
    if (to_pitch == row_bytes && from_pitch == row_bytes)
        CUDA_CHECK(cudaMemcpy(to, from, count * row_bytes, kind));
    else
        CUDA_CHECK(cudaMemcpy2D(to, to_pitch, from, from_pitch, row_bytes, count, kind));
}

}  // namespace

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

std::vector<Piece> pieces_of(const Job& job, const Band& band) {
    const std::int64_t height = job.image().height();
    std::vector<Piece> pieces;
    for (int y = band.low; y < band.high;) {  // a piece ends at the end of the image
        const auto from = static_cast<int>(source_index(job.border.rule, y, height));
        const int rows = std::min(band.high - y, static_cast<int>(height) - from);
        pieces.push_back({from, y - band.low, rows});
        y += rows;
    }
    return pieces;
}

MemoryNeed memory_of_pageable(const Job& job) {
    MemoryNeed need = cuda_memory(job);
    const std::int64_t outputs = job.out_width() * job.out_height() * job.image().channels();
    need.device += std::max(job.image().samples(), outputs);  // rows on their way, together
    return need;
}

BandFilter::BandFilter(const Job& job, const Band& band, const std::uint8_t* h_in,
                       std::uint8_t* h_out, HostMemory memory, int device)
    : band_(band), memory_(memory), device_(device), pieces_(pieces_of(job, band)), h_in_(h_in) {
    const OnDevice here(device_);
    kernel_ = band_kernel(job, band);
    const Image& image = job.image();
    in_row_bytes_ = static_cast<std::size_t>(image.width() * image.channels());
    out_row_bytes_ = static_cast<std::size_t>(job.out_width() * image.channels());
    h_out_ = h_out + static_cast<std::size_t>(band.first) * out_row_bytes_;
    d_in_ = rows_on_device(kernel_.in, in_row_bytes_, band.high - band.low);
    d_out_ = rows_on_device(kernel_.out, out_row_bytes_, band.rows);
}

std::uint8_t* BandFilter::together() {
    const std::size_t in = in_row_bytes_ * static_cast<std::size_t>(band_.high - band_.low);
    const std::size_t out = out_row_bytes_ * static_cast<std::size_t>(band_.rows);
    if (d_together_.size() == 0) d_together_ = DeviceBuffer<std::uint8_t>(std::max(in, out));
    return d_together_.data();
}

DeviceBuffer<std::uint8_t> BandFilter::rows_on_device(const DeviceRows& rows, std::size_t row_bytes,
                                                      int count) const {
    DeviceBuffer<std::uint8_t> d_rows(pitch(rows, row_bytes) * static_cast<std::size_t>(count));
    d_rows.fill(0);                              // what lies between the rows is read too
    CUDA_CHECK(cudaStreamSynchronize(nullptr));  // other streams do not wait for it
    return d_rows;
}

void BandFilter::copy_in(cudaStream_t stream) {
    if (timeline_ != nullptr) part_ = timeline_->next_part();
    const TimedStep step(timeline_, {device_, stream, part_, "copy in"});
    const std::size_t to_pitch = pitch(kernel_.in, in_row_bytes_);
    for (const Piece& piece : pieces_)
        copy_rows(first_pixel_in() + static_cast<std::size_t>(piece.row) * to_pitch, to_pitch,
                  in_of(piece), in_row_bytes_, in_row_bytes_, piece.rows, cudaMemcpyHostToDevice,
                  stream);
}

void BandFilter::filter(cudaStream_t stream) { filter_often(1, stream); }

void BandFilter::filter_often(int times, cudaStream_t stream) {
    const OnDevice here(device_);
    if (times > 1 && d_between_.size() == 0)
        d_between_ = rows_on_device(kernel_.out, out_row_bytes_, band_.rows);
    const TimedStep step(timeline_, {device_, stream, part_, "filter"});
    const std::uint8_t* d_from = first_pixel_in();
    for (int left = times; left > 0; --left) {  // the last one writes to d_out_
        std::uint8_t* d_to = (left % 2 == 1 ? d_out_ : d_between_).data();
        kernel_.launch(d_from, d_to, stream);
        CUDA_CHECK(cudaGetLastError());
        d_from = d_to;
    }
}

void BandFilter::copy_out(cudaStream_t stream) {
    const TimedStep step(timeline_, {device_, stream, part_, "copy out"});
    copy_rows(h_out_, out_row_bytes_, d_out_.data(), pitch(kernel_.out, out_row_bytes_),
              out_row_bytes_, band_.rows, cudaMemcpyDeviceToHost, stream);
}

void BandFilter::copy_in_and_wait() {
    const TimedStep step(timeline_, {device_, nullptr, part_, "copy in"});
    const std::size_t to_pitch = pitch(kernel_.in, in_row_bytes_);
    for (const Piece& piece : pieces_) {
        const std::uint8_t* from = in_of(piece);
        cudaMemcpyKind kind = cudaMemcpyHostToDevice;
        if (go_together(to_pitch, in_row_bytes_)) {
            copy_rows_and_wait(together(), in_row_bytes_, from, in_row_bytes_, in_row_bytes_,
                               piece.rows, kind);
            from = together();
            kind = cudaMemcpyDeviceToDevice;
        }
        copy_rows_and_wait(first_pixel_in() + static_cast<std::size_t>(piece.row) * to_pitch,
                           to_pitch, from, in_row_bytes_, in_row_bytes_, piece.rows, kind);
    }
}

void BandFilter::copy_out_and_wait() {
    const TimedStep step(timeline_, {device_, nullptr, part_, "copy out"});
    const std::uint8_t* from = d_out_.data();
    std::size_t from_pitch = pitch(kernel_.out, out_row_bytes_);
    if (go_together(from_pitch, out_row_bytes_)) {
        copy_rows_and_wait(together(), out_row_bytes_, from, from_pitch, out_row_bytes_, band_.rows,
                           cudaMemcpyDeviceToDevice);
        from = together();
        from_pitch = out_row_bytes_;
    }
    copy_rows_and_wait(h_out_, out_row_bytes_, from, from_pitch, out_row_bytes_, band_.rows,
                       cudaMemcpyDeviceToHost);
}

void BandFilter::poison() {
    const OnDevice here(device_);
    d_in_.fill(0xA5);
    d_out_.fill(0xA5);
    d_between_.fill(0xA5);
    d_together_.fill(0xA5);
    CUDA_CHECK(cudaDeviceSynchronize());
}

}  // namespace convolab::async_streams
