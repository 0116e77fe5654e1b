// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The host's side of the six variants: one or more frames in pageable or pinned memory, and the
// device's bands that read and write them. Everything is allocated once, before any run.
#pragma once

#include <cstdint>
#include <vector>

#include "common/cuda/memory.hpp"
#include "common/variant/convolver.hpp"
#include "labs/06_async_streams/parts/band.hpp"

namespace convolab::async_streams {

enum class HostMemory { pageable, pinned };

/// Bytes on the host, of either kind.
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
    /// The output. Where several frames are in flight all have to be the same: throws Error where
    /// one differs, so that no right frame hides a wrong one.
    Image result() const override;
    void poison() override;
    KernelResources resources() const override { return bands_.front().resources(); }
    std::vector<Span> timeline() override;

  protected:
    FramesOnHost(const Job& job, HostMemory memory);

    /// One more frame in flight: the job's image in the host memory near `device`, its output, and
    /// one BandFilter for each of the bands.
    void add_frame(const Job& job, const std::vector<Band>& bands, int device = 0);

    /// Makes run() work with the bands as they are now; for what was prepared from them before.
    virtual void prepare() {}

    std::vector<BandFilter> bands_;  ///< of all frames, in the order they were added

  private:
    struct Frame {
        HostBuffer in, out;
    };
    HostMemory memory_;
    Image output_;  ///< its size
    std::vector<Frame> frames_;
};

/// No more than there are frames.
int frames_in_flight(const Job& job);
/// Variant::memory of frames in flight on one device.
MemoryNeed frames_memory(const Job& job);

}  // namespace convolab::async_streams
