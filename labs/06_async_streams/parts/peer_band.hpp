// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A band of rows that stays on one device for many filters, beside neighbours on other devices. Its halo
// is `passes` times p rows high, so it lasts for that many filters: each one computes p fewer rows of it.
//
//     low   ->  +-----------------------------+
//               | halo: passes * p rows       |  rows of the band above
//     first ->  +-----------------------------+
//               | the rows that go up         |  computed first, and sent while
//               | the inside                  |  the inside is computed
//               | the rows that go down       |
//               +-----------------------------+
//               | halo: passes * p rows       |  rows of the band below
//     high  ->  +-----------------------------+
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "common/cuda/stream.hpp"
#include "labs/06_async_streams/parts/band.hpp"
#include "labs/06_async_streams/parts/recorded.hpp"

namespace convolab::async_streams {

/// Where a band's neighbours are.
struct Neighbours {
    bool above, below;
};

class PeerBand {
  public:
    /// rows: `first` and `rows` of the band; passes: filters per exchange.
    PeerBand(const Job& job, const Band& rows, Neighbours neighbours, int passes, int device);

    /// All steps are issued on the band's streams, and wait for nothing on the host.
    void copy_in(const std::uint8_t* h_in);
    void copy_out(std::uint8_t* h_out);
    /// Begins again with what copy_in() has brought, after the event.
    void begin(const Event& after);
    /// `count` filters; after the first of them the halo lasts for `left` more. Recorded the first time.
    void filter(int left, int count);
    /// The last filter of a halo, in three steps, each for all bands before the next: filters the rows
    /// that are sent, then the inside; sends them; waits for those of the neighbours.
    void filter_edges_first();
    void send_up(PeerBand& above);
    void send_down(PeerBand& below);
    void finish_sending();
    void receive(const PeerBand& neighbour);

    /// The stream waits until the band is finished.
    void make_wait(cudaStream_t stream);
    void wait() const { stream_.wait(); }
    void poison();
    KernelResources resources() const { return whole_.front().kernel.resources; }

  private:
    /// A launch on some rows of the band.
    struct Part {
        BandKernel kernel;
        int row;  ///< the first, from `low`
    };
    Part part(const Job& job, int from, int end) const;
    void launch(const Part& part);
    void send(int row, PeerBand& to, int to_row);
    DeviceBuffer<std::uint8_t> buffer();
    std::size_t at(int row) const { return static_cast<std::size_t>(row) * pitch_; }
    /// The buffer that the next filter writes to.
    DeviceBuffer<std::uint8_t>& next() { return d_[now_ == &d_[0] ? 1 : 0]; }

    Band band_;
    int device_;
    int halo_;  ///< rows
    std::vector<Piece> pieces_;
    std::vector<Part> whole_;  ///< [left]
    std::vector<Part> edges_;
    std::optional<Part> inside_;
    std::size_t row_bytes_, pitch_;
    DeviceBuffer<std::uint8_t> d_in_, d_[2];
    DeviceBuffer<std::uint8_t>* now_ = nullptr;  ///< what the next filter reads
    std::map<std::tuple<const void*, int, int>, Recorded> recorded_;  ///< by now_, left, count
    Stream stream_, sender_;
    Event edges_done_{cudaEventDisableTiming}, sent_{cudaEventDisableTiming};
    Event finished_{cudaEventDisableTiming};
};

}  // namespace convolab::async_streams
