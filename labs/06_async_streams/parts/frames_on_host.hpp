// SPDX-License-Identifier: MIT
// What the variants of this lab share, so that their files show only copies and waits: the picture
// in host memory, the check of the output, poison, and the times of `lab timeline`. Each variant
// allocates and frees its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/cuda/backend.hpp"
#include "common/cuda/band_kernel.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/memory.hpp"
#include "labs/06_async_streams/parts/timeline.hpp"

namespace convolab::async_streams {

/// Variant::make of the class Kind, whose host memory is next to device 0. If allocate() throws,
/// the destructor frees what has been allocated.
template <class Kind>
std::unique_ptr<Convolver> make_one(const Job& job) {
    require_gpu();
    const NearDevice near(0);
    auto made = std::make_unique<Kind>(job);
    made->allocate(job);
    return made;
}

/// Its destructor selects device 0 again, as the program expects.
struct BackToFirst {
    ~BackToFirst() { (void)cudaSetDevice(0); }
};

/// Rows of bytes. On the host, they follow each other without gaps. The packed kernel needs each
/// row at the start of a 128-byte line, so on the device they may lie apart.
struct Rows {
    std::size_t count = 0;
    std::size_t bytes = 0;   ///< of a row
    std::size_t offset = 0;  ///< on the host: bytes of the picture before them
    std::size_t pitch = 0;   ///< on the device: bytes from one row to the next
    std::size_t lead = 0;    ///< on the device: bytes before the first pixel

    std::size_t host_bytes() const { return count * bytes; }
    std::size_t device_bytes() const { return count * pitch; }
};

/// A band: its kernel, its rows, and where they are on the device. The variant owns the memory.
struct BandOnDevice {
    BandOnDevice(const Job& job, const Band& band);

    BandKernel kernel;
    Rows in, out;  ///< `in` with the halo
    std::uint8_t *d_in = nullptr, *d_out = nullptr;
};

/// The image in `--bands` bands of almost equal height, each with its halo. An image with fewer
/// rows has fewer bands. Defined in 03_streams.cu.
std::vector<Band> cut_in_bands(const Job& job);

class FramesOnHost : public Convolver {
  public:
    /// The output for the job's picture. Throws Error if another frame in flight has a different
    /// one, so that a right frame never hides a wrong one.
    const Image& result() override;
    void poison() override;
    KernelResources resources() const override { return resources_; }
    std::vector<Span> timeline() override;

  protected:
    explicit FramesOnHost(const Job& job);
    std::size_t output_bytes() const { return output_.bytes(); }

    /// A frame in host memory: puts the picture into h_in. Its channels are in another order than in the
    /// previous frame on the device, and so are the channels of its output. Therefore an output
    /// that belongs to another frame is noticed. (Images of one channel are all the same.)
    void add_frame(const Job& job, std::uint8_t* h_in, std::uint8_t* h_out);
    /// Registers the band's memory, on the current device, for poison(). Overwrites it now, too,
    /// because the kernel also loads what lies between the rows.
    void add_band(const BandOnDevice& band);
    /// What frame `number` of a run reads: the input of some frame in flight. Frames that use the
    /// same buffers one after the other read different inputs of their device, so that a frame that
    /// does not wait for the one before is noticed, too.
    const std::uint8_t* input_of(int number);

    /// The whole image, without gaps between its rows on the device, too. If its kernel needs gaps,
    /// the launch moves the rows apart, within the device.
    BandOnDevice image_without_gaps(const Job& job);

    /// Called when timeline_ has changed. A variant with a graph captures it again.
    virtual void prepare() {}

    Timeline* timeline_ = nullptr;  ///< of the run; nullptr, except for lab timeline

  private:
    void overwrite(std::uint8_t* d_rows, std::size_t bytes);
    struct Frame {
        std::uint8_t *h_in, *h_out;
        int turn;           ///< channel c of the picture is channel c + turn here
        std::size_t reads;  ///< the frame whose input its last output is made from
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
/// Pictures in host memory: as many as are in flight, or, so that with `--cold` each of them is
/// read from memory, one for each frame of a run.
int frames_on_host(const Job& job);
/// Variant::memory of frames in flight on one device.
MemoryNeed frames_memory(const Job& job);

}  // namespace convolab::async_streams
