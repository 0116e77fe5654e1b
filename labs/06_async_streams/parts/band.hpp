// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the six variants share: a band of an image with its halo, and its three steps on one
// device: copy in, filter, copy out. The steps are only issued, each on the stream that the variant
// says; when they run, and beside what, is the subject of the lab.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "common/cuda/convolver.hpp"
#include "common/cuda/on_device.hpp"
#include "labs/06_async_streams/parts/timeline.hpp"

namespace convolab::async_streams {

inline constexpr int kMaxKsize = 9;

/// The filter, passed by value: a kernel's parameters lie in constant memory, each launch has its
/// own, and nothing has to be copied to any device.
struct Taps {
    float at[kMaxKsize * kMaxKsize];
};

/// Rows of an image: those computed, and those they are computed from. Coordinates are the whole
/// image's; with border `wrap` the halo of the first and last band reaches past it.
struct Band {
    int first;  ///< output row
    int rows;   ///< output rows
    int low;    ///< first input row that the band holds
    int high;   ///< one past the last
};

/// Threads of a block: samples of a row x groups of rows below each other, one group a thread.
inline constexpr unsigned kBlockX = 64;
inline constexpr unsigned kBlockY = 4;
inline constexpr int kRowsPerThread = 4;

/// What the kernel has to know of the whole image.
struct BandJob : Geometry {
    int channels;
    AnyBorder border;
};

using BandKernel = void (*)(const std::uint8_t* d_in, std::uint8_t* d_out, BandJob job, Band band,
                            Taps taps);
/// Throws Unsupported for a filter of side over 9.
BandKernel band_kernel_for(int ksize);

/// Variant::make of a class.
template <class Kind>
std::unique_ptr<Convolver> make_one(const Job& job) {
    return std::make_unique<Kind>(job);
}

/// The whole image as one band: every border rule finds its rows inside.
Band whole_image(const Job& job);
/// The image in `count` bands of almost equal height, each with its halo; fewer where there are
/// fewer rows.
std::vector<Band> cut_in_bands(const Job& job, int count);

/// A band's buffers on one device, and its three steps. Throws Unsupported for a filter of side
/// over 9 and for an image that the kernel's indices do not reach.
class BandFilter {
  public:
    /// h_in, h_out: the whole images on the host, which outlive it; pinned for copies on a stream.
    BandFilter(const Job& job, const Band& band, const std::uint8_t* h_in, std::uint8_t* h_out,
               int device = 0);

    void copy_in(cudaStream_t stream);
    void filter(cudaStream_t stream);
    void copy_out(cudaStream_t stream);
    /// The synchronous copies; they take pageable memory too.
    void copy_in_and_wait();
    void copy_out_and_wait();

    /// Overwrites both buffers, so that a step left out is seen, and waits.
    void poison();
    KernelResources resources() const;
    int device() const { return device_; }
    /// From now on each step leaves its times here; nullptr: no longer.
    void record_times(Timeline* timeline) { timeline_ = timeline; }

  private:
    /// Consecutive rows that one copy brings: one piece, but for wrap.
    struct Piece {
        const std::uint8_t* h_from;
        std::size_t at;  ///< byte of d_in
        std::size_t bytes;
    };

    Band band_;
    int device_;
    BandJob job_;
    Taps taps_{};
    BandKernel kernel_;
    dim3 grid_;
    std::vector<Piece> pieces_;
    std::uint8_t* h_out_;
    DeviceBuffer<std::uint8_t> d_in_;
    DeviceBuffer<std::uint8_t> d_out_;
    Timeline* timeline_ = nullptr;
    int part_ = 0;  ///< its number in the timeline
};

}  // namespace convolab::async_streams
