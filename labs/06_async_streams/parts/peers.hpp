// SPDX-License-Identifier: MIT
// A picture that several devices share for many filters, with a band of rows on each: the buffers
// of each device, the copies from and to the host, poison, and the capture of the filters as one
// graph. The halo of a band is `passes` times p rows high, so it lasts for that many filters: each
// of them computes p fewer rows of it.
//
//     low   ->  +-----------------------------+
//               | halo: passes * p rows       |  rows of the band above
//     first ->  +-----------------------------+
//               | the upper edge              |  the halo of the band above
//               | the inside                  |
//               | the lower edge              |  the halo of the band below
//               +-----------------------------+
//               | halo: passes * p rows       |  rows of the band below
//     high  ->  +-----------------------------+
#pragma once

#include <deque>
#include <vector>

#include "common/cuda/band_kernel.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"

namespace convolab::async_streams {

struct PeerBand;

/// A kernel for some rows of a band, which writes to a buffer of this band or of a neighbour.
struct RowsOfBand {
    BandKernel kernel;
    PeerBand* to;
    std::size_t offset;  ///< of the first row there
};

/// The band of a device, with its kernels and buffers.
struct PeerBand {
    int device = 0;
    Band rows{};                              ///< with the halo
    std::vector<RowsOfBand> filters;          ///< [n]: with the rows that n more filters need
    std::vector<RowsOfBand> edges;            ///< the rows that the neighbours need
    std::vector<const PeerBand*> neighbours;  ///< above and below, each once
    DeviceBuffer<std::uint8_t> d[3];          ///< the input, and two that take turns
    Stream stream, sender;
    Event ready{cudaEventDisableTiming}, sent{cudaEventDisableTiming};
};

class SharedPicture : public Convolver {
  public:
    int devices() const override { return static_cast<int>(bands_.size()); }
    KernelResources resources() const override {
        return bands_.front().filters.front().kernel.resources;
    }
    void upload() override;
    void download() override;
    const Image& result() override;
    void poison() override;
    ~SharedPicture() override {
        if (graph_ != nullptr) (void)cudaGraphExecDestroy(graph_);
    }

  protected:
    /// Throws Unsupported if the job is no chain, and Skipped if there are fewer devices than the
    /// setting asks for.
    explicit SharedPicture(const Job& job);
    /// Captures what issue() launches on the streams of the bands as the graph. The streams begin
    /// after the origin, which goes on after them.
    void capture();
    virtual void issue() = 0;
    /// Throws Skipped: the first device cannot write to the memory of the second.
    [[noreturn]] static void throw_no_access(const PeerBand& from, const PeerBand& to);

    int passes_ = 1;              ///< filters per exchange: s
    std::deque<PeerBand> bands_;  ///< one per device, in order
    int result_ = 0;              ///< the number of the buffer with the output
    Stream origin_;
    cudaGraphExec_t graph_ = nullptr;

  private:
    void add_kernels(const Job& job, PeerBand& band);
    int inside(int row) const;
    PeerBand* neighbour(int device);
    std::size_t at(int row) const { return static_cast<std::size_t>(row) * pitch_; }

    int halo_ = 0, height_;
    bool wraps_ = false;  ///< the bands are a ring
    std::size_t row_bytes_, pitch_ = 0;
    Image output_;
    PinnedBuffer<std::uint8_t> h_in_, h_out_;
};

/// Three buffers of the picture's size, and the size of a fourth for halos and gaps between rows.
/// Several devices share them.
MemoryNeed memory_of_bands(const Job& job);

}  // namespace convolab::async_streams
