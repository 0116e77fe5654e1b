// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A band of an image with its halo, and its three steps on one device: copy in, filter, copy out. All
// variants on a GPU use it. The steps are only issued, each on the stream that the variant names. When
// they run, and what they overlap with, is the subject of the lab.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "common/cuda/band_kernel.hpp"
#include "common/cuda/convolver.hpp"
#include "common/cuda/on_device.hpp"
#include "labs/06_async_streams/parts/timeline.hpp"

namespace convolab::async_streams {

/// Variant::make of the class Kind.
template <class Kind>
std::unique_ptr<Convolver> make_one(const Job& job) {
    return std::make_unique<Kind>(job);
}

/// The image in `count` bands of almost equal height, each with its halo; fewer bands where the image
/// has fewer rows.
std::vector<Band> cut_in_bands(const Job& job, int count);

/// Consecutive rows of the image that are consecutive in a band with its halo. Only with border `wrap`
/// a band has more than one piece.
struct Piece {
    int from;  ///< row of the image
    int row;   ///< of the band, from band.low
    int rows;
};
std::vector<Piece> pieces_of(const Job& job, const Band& band);

enum class HostMemory { pageable, pinned };

/// Variant::memory of a whole image in pageable memory.
MemoryNeed memory_of_pageable(const Job& job);

/// A band's buffers on one device, and its three steps. Throws Unsupported for a job that the kernel of
/// the setting cannot do.
class BandFilter {
  public:
    /// h_in, h_out: the whole images in `memory` of the host, which must outlive this object.
    BandFilter(const Job& job, const Band& band, const std::uint8_t* h_in, std::uint8_t* h_out,
               HostMemory memory, int device);

    /// From now on the input is there.
    void read_from(const std::uint8_t* h_in) { h_in_ = h_in; }
    /// Only from pinned memory; so is copy_out().
    void copy_in(cudaStream_t stream);
    void filter(cudaStream_t stream);
    /// So many filters, each of the output of the one before it. Not with border `valid`.
    void filter_often(int times, cudaStream_t stream);
    void copy_out(cudaStream_t stream);
    /// Synchronous copies. Rows that lie apart on the device go from and to pageable memory in one piece,
    /// and the device moves them apart: cudaMemcpy2D of single rows takes longer there.
    void copy_in_and_wait();
    void copy_out_and_wait();

    /// Overwrites both buffers, so that a missing step shows, and waits.
    void poison();
    KernelResources resources() const { return kernel_.resources; }
    int device() const { return device_; }
    /// From now on each step records its times there; nullptr ends that.
    void record_times(Timeline* timeline) { timeline_ = timeline; }

  private:
    DeviceBuffer<std::uint8_t> rows_on_device(const DeviceRows& rows, std::size_t row_bytes,
                                              int count) const;
    std::uint8_t* first_pixel_in() { return d_in_.data() + kernel_.in.lead; }
    bool go_together(std::size_t pitch, std::size_t row_bytes) const {
        return memory_ == HostMemory::pageable && pitch > row_bytes;
    }
    /// Memory of the device for rows as the host has them.
    std::uint8_t* together();

    Band band_;
    HostMemory memory_;
    int device_;
    BandKernel kernel_;
    std::size_t in_row_bytes_, out_row_bytes_;
    const std::uint8_t* in_of(const Piece& piece) const {
        return h_in_ + static_cast<std::size_t>(piece.from) * in_row_bytes_;
    }
    std::vector<Piece> pieces_;  ///< one copy each
    const std::uint8_t* h_in_;
    std::uint8_t* h_out_;
    DeviceBuffer<std::uint8_t> d_in_;
    DeviceBuffer<std::uint8_t> d_out_;
    DeviceBuffer<std::uint8_t> d_between_;  ///< every other output of filter_often()
    DeviceBuffer<std::uint8_t> d_together_;
    Timeline* timeline_ = nullptr;
    int part_ = 0;  ///< its number in the timeline
};

}  // namespace convolab::async_streams
