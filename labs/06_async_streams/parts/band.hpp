// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A band of an image with its halo, and its three steps on one device: copy in, filter, copy out. All
// six variants use it. The steps are only issued, each on the stream that the variant names. When
// they run, and what they overlap with, is the subject of the lab.
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

/// The filter, passed by value. A kernel's parameters are in constant memory, and each launch has its
/// own copy, so nothing has to be copied to any device.
struct Taps {
    float at[kMaxKsize * kMaxKsize];
};

/// The output rows of a band, and the input rows they are computed from, in coordinates of the whole
/// image. With border `wrap` the halo of the first and of the last band reaches past the image.
struct Band {
    int first;  ///< output row
    int rows;   ///< output rows
    int low;    ///< first input row of the band
    int high;   ///< one past the last
};

/// Threads per block: kBlockX samples of a row x kBlockY groups of rows, one group per thread.
inline constexpr unsigned kBlockX = 64;
inline constexpr unsigned kBlockY = 4;
inline constexpr int kRowsPerThread = 4;

/// What the kernel needs to know about the whole image.
struct BandJob : Geometry {
    int channels;
    AnyBorder border;
};

using BandKernel = void (*)(const std::uint8_t* d_in, std::uint8_t* d_out, BandJob job, Band band,
                            Taps taps);
/// Throws Unsupported for a filter of side over 9.
BandKernel band_kernel_for(int ksize);

/// Variant::make of the class Kind.
template <class Kind>
std::unique_ptr<Convolver> make_one(const Job& job) {
    return std::make_unique<Kind>(job);
}

/// The whole image as one band: every border rule finds its rows in it.
Band whole_image(const Job& job);
/// The image in `count` bands of almost equal height, each with its halo; fewer bands where the image
/// has fewer rows.
std::vector<Band> cut_in_bands(const Job& job, int count);

/// A band's buffers on one device, and its three steps. Throws Unsupported for a filter of side
/// over 9 and for an image that the kernel's indices do not reach.
class BandFilter {
  public:
    /// h_in, h_out: the whole images on the host, which must outlive this object; pinned for copies on a
    /// stream.
    BandFilter(const Job& job, const Band& band, const std::uint8_t* h_in, std::uint8_t* h_out,
               int device = 0);

    void copy_in(cudaStream_t stream);
    void filter(cudaStream_t stream);
    void copy_out(cudaStream_t stream);
    /// Synchronous copies; these also take pageable memory.
    void copy_in_and_wait();
    void copy_out_and_wait();

    /// Overwrites both buffers, so that a missing step shows, and waits.
    void poison();
    KernelResources resources() const;
    int device() const { return device_; }
    /// From now on each step records its times there; nullptr ends that.
    void record_times(Timeline* timeline) { timeline_ = timeline; }

  private:
    /// Consecutive rows that one copy brings. Only with `wrap` a band has more than one piece.
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
