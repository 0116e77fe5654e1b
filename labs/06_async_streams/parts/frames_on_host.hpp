// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The host's side of the six variants: one or more frames in pageable or pinned memory, and the
// bands on the device that read and write them. Everything is allocated once, before the first run.
#pragma once

#include <cstdint>
#include <vector>

#include "common/cuda/memory.hpp"
#include "common/variant/convolver.hpp"
#include "labs/06_async_streams/parts/band.hpp"

namespace convolab::async_streams {

/// Bytes in host memory of either kind.
class HostBuffer {
  public:
    HostBuffer(std::size_t bytes, HostMemory memory);
    std::uint8_t* data() { return pinned_.size() > 0 ? pinned_.data() : pageable_.data(); }
    const std::uint8_t* data() const {
        return pinned_.size() > 0 ? pinned_.data() : pageable_.data();
    }

  private:
    PinnedBuffer<std::uint8_t> pinned_;
    std::vector<std::uint8_t> pageable_;
};

class FramesOnHost : public Convolver {
  public:
    /// The output, of the job's picture. Throws Error where a frame in flight has another, so that a right
    /// frame never hides a wrong one.
    Image result() const override;
    void poison() override;
    KernelResources resources() const override { return bands_.front().resources(); }
    std::vector<Span> timeline() override;

  protected:
    FramesOnHost(const Job& job, HostMemory memory);

    /// Adds a frame in flight: the job's image in the host memory near `device`, its output, and one
    /// BandFilter per band. Its channels are in another order than in the frame before on the device: the
    /// output then has that order too, and one that belongs to another frame shows. (Images of one
    /// channel are all the same.)
    void add_frame(const Job& job, const std::vector<Band>& bands, int device = 0);

    /// Where frame `number` of a run is in flight. Frames that follow each other in a place take turns with
    /// the inputs of its device, so that one which does not wait for the other shows, too.
    std::size_t place_of(int number);

    /// Called when the bands have changed: prepares again what run() made from them before.
    virtual void prepare() {}

    std::vector<BandFilter> bands_;  ///< of all frames, in the order of add_frame()

  private:
    struct Frame {
        HostBuffer in, out;
        int turn;           ///< channel c of the picture is channel c + turn here
        std::size_t reads;  ///< whose input its last output is made from
    };
    HostMemory memory_;
    Image output_;  ///< only its size matters
    std::vector<Frame> frames_;
};

/// settings.in_flight, but not more than there are frames.
int frames_in_flight(const Job& job);
/// Variant::memory of frames in flight on one device.
MemoryNeed frames_memory(const Job& job);

}  // namespace convolab::async_streams
