// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What no page of this lab is about, though each needs it: the picture in the host's memory, the
// check of the output, poison, and the times of `make timeline`. The memory is the page's.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/cuda/backend.hpp"
#include "common/cuda/band_kernel.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/on_device.hpp"
#include "labs/06_async_streams/parts/timeline.hpp"

namespace convolab::async_streams {

/// Variant::make of the class Kind, whose memory is on the CPUs' side next to device 0. Where
/// allocate() throws, the destructor frees what there is.
template <class Kind>
std::unique_ptr<Convolver> make_one(const Job& job) {
    require_gpu();
    const NearDevice near(0);
    auto made = std::make_unique<Kind>(job);
    made->allocate(job);
    return made;
}

/// When it ends, device 0 is selected again, as the program expects.
struct BackToFirst {
    ~BackToFirst() { (void)cudaSetDevice(0); }
};

/// Rows of bytes: on the host each follows the one before. The packed kernel needs each at the
/// start of a 128-byte line, so on the device they may lie apart.
struct Rows {
    std::size_t count = 0;
    std::size_t bytes = 0;   ///< of a row
    std::size_t offset = 0;  ///< on the host: bytes of the picture before them
    std::size_t pitch = 0;   ///< on the device: bytes from one row to the next
    std::size_t lead = 0;    ///< on the device: bytes before the first pixel

    std::size_t host_bytes() const { return count * bytes; }
    std::size_t device_bytes() const { return count * pitch; }
};

/// A band: its kernel, its rows, and where they are on the device. The memory is the page's.
struct BandOnDevice {
    BandOnDevice(const Job& job, const Band& band);

    BandKernel kernel;
    Rows in, out;  ///< `in` with the halo
    std::uint8_t *d_in = nullptr, *d_out = nullptr;
};

/// The image in `--bands` bands of almost equal height, each with its halo; fewer where the image
/// has fewer rows. It stands on the page of streams.
std::vector<Band> cut_in_bands(const Job& job);

class FramesOnHost : public Convolver {
  public:
    /// The output, of the job's picture. Throws Error where a frame in flight has another, so that
    /// a right frame never hides a wrong one.
    const Image& result() override;
    void poison() override;
    KernelResources resources() const override { return resources_; }
    std::vector<Span> timeline() override;

  protected:
    explicit FramesOnHost(const Job& job);
    std::size_t output_bytes() const { return output_.bytes(); }

    /// A frame in flight: puts the picture into h_in. Its channels are in another order than in the
    /// frame before on the device: the output then has that order too, and one that belongs to
    /// another frame shows. (Images of one channel are all the same.)
    void add_frame(const Job& job, std::uint8_t* h_in, std::uint8_t* h_out);
    /// The band's memory, of the current device, for poison(). Overwrites it at once, too, because
    /// the kernel also loads what lies between the rows.
    void add_band(const BandOnDevice& band);
    /// What frame `number` of a run reads: the input of some frame in flight. Frames that follow
    /// each other in a place take turns with the inputs of its device, so that one which does not
    /// wait for the other shows, too.
    const std::uint8_t* input_of(int number);

    /// The whole image, its rows without gaps on the device, too. Where its kernel needs them
    /// apart, the launch moves them, within the device.
    BandOnDevice image_without_gaps(const Job& job);

    /// Called when timeline_ has changed: records again what run() launches.
    virtual void prepare() {}

    Timeline* timeline_ = nullptr;  ///< of the run; mostly there is none

  private:
    void overwrite(std::uint8_t* d_rows, std::size_t bytes);
    struct Frame {
        std::uint8_t *h_in, *h_out;
        int turn;           ///< channel c of the picture is channel c + turn here
        std::size_t reads;  ///< whose input its last output is made from
    };
    struct DeviceMemory {
        std::uint8_t* d_rows;
        std::size_t bytes;
        int device;
    };
    Image output_;
    std::vector<Frame> frames_;
    std::vector<DeviceMemory> device_memory_;
    DeviceBuffer<std::uint8_t> d_in_apart_, d_out_apart_;  ///< of image_without_gaps()
    KernelResources resources_;
};

/// settings.in_flight, but not more than there are frames.
int frames_in_flight(const Job& job);
/// Variant::memory of frames in flight on one device.
MemoryNeed frames_memory(const Job& job);

}  // namespace convolab::async_streams
