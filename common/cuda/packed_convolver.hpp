// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The host's side of the packed kernels (strips.hpp): device images with rows that begin on lines
// of 128 bytes, and a launch whose bands suit the size of the image.
#pragma once

#include <type_traits>

#include "common/cuda/convolver.hpp"
#include "common/cuda/strips.hpp"

namespace convolab {

/// uint8, interleaved, K 3 to 9.
class PackedConvolver : public CudaConvolver {
  public:
    /// Variant::memory: as cuda_memory(), rows rounded up to 128 bytes.
    static MemoryNeed memory(const Job& job);

  protected:
    /// Throws Unsupported for another pixel type and for rows over 2^30 bytes.
    explicit PackedConvolver(const Job& job);

    /// With border `renormalise` the pixels whose filter leaves the image, each with a divisor of
    /// its own; the strips leave out what is outside and divide by the filter's.
    void run_frame();

    /// Sets rows_ and the launch for bands of a multiple of `ahead` rows: one wave of blocks where
    /// its bands have no more than 24 rows, else bands of about `many` rows in several waves.
    LaunchShape strips(int resident_blocks, int ahead, int many);

    ByteRows rows_;
};

/// A PackedConvolver that runs one Body.
template <class Body>
class Packed final : public PackedConvolver {
  public:
    Packed(const Job& job, const typename Body::Taps& taps) : PackedConvolver(job), taps_(taps) {
        const int blocks = resident_blocks(strips_kernel<Body>, 32 * kStripsABlock);
        prepare(strips_kernel<Body>, strips(blocks, Body::kRowsAhead, Body::kBandOfMany));
    }
    void run() override {
        launch(strips_kernel<Body>, shape_.grid, shape_.block, 0, nullptr, rows_, taps_);
        if (device_job_.rule == BorderRule::renormalise) run_frame();
    }

  private:
    typename Body::Taps taps_;
};

/// make(std::integral_constant<int, channels>{}) for an image of 1, 3 or 4 channels.
template <class Make>
std::unique_ptr<Convolver> for_channels(const Job& job, const Make& make) {
    switch (job.image().channels()) {
        case 1:
            return make(std::integral_constant<int, 1>{});
        case 3:
            return make(std::integral_constant<int, 3>{});
        default:
            return make(std::integral_constant<int, 4>{});
    }
}

}  // namespace convolab
