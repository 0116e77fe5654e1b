// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A band of rows that stays on one device for many filters, beside neighbours on other devices. Its halo
// is `passes` times p rows high, so it lasts for that many filters: each one computes p fewer rows of it.
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
//
// The exchange is part of the last filter of a halo, which reads the band's buffer X and writes the band's
// rows of its buffer Y. The sender, a second stream of the device, computes the edges once more: from its X
// into the halo of the neighbour's Y. What waits for what:
//   - The sender for the filter before in its band (ready_), which completes X.
//   - The sender for the filter before in the neighbour (the neighbour's ready_), which reads the halo of
//     Y. In the exchange before, the neighbour's sender may have read that buffer; ready_ comes after it.
//   - The next filter for the senders of the neighbours (sent_), as it reads the halo of Y.
//   - The next filter for the own sender, as it writes to X.
// The halos above and below are different rows, also where both neighbours are the same device. The input
// is X in the first exchange and Y in none, so each run finds it unchanged.
#pragma once

#include <optional>
#include <vector>

#include "common/cuda/band_kernel.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/on_device.hpp"
#include "common/cuda/stream.hpp"

namespace convolab::async_streams {

/// Consecutive rows of the image that are consecutive in a band with its halo. Only with border `wrap`
/// a band has more than one piece.
struct Piece {
    int from;  ///< row of the image
    int row;   ///< of the band, from band.low
    int rows;
};
std::vector<Piece> pieces_of(const Job& job, const Band& band);

/// Where a band has neighbours that need its rows, and it theirs.
struct Neighbours {
    bool above, below;
};

class PeerBand {
  public:
    /// rows: `first` and `rows` of the band; passes: filters per exchange.
    PeerBand(const Job& job, const Band& rows, Neighbours neighbours, int passes, int device);

    /// Each step only issues work, on the band's streams. Those from begin() to make_wait() are called once,
    /// while the graph is recorded.
    void copy_in(const std::uint8_t* h_in);
    void copy_out(std::uint8_t* h_out);
    /// The next filter reads what copy_in() has brought, after the event.
    void begin(const Event& after);
    /// `count` filters; then the halo lasts for `halo_left` more.
    void filter(int count, int halo_left = 0);
    /// The same with an exchange, in three steps, each for all bands before the next. First the filters;
    /// the buffers change places in the last step.
    void filter_before_exchange(int count);
    /// Second, with this band's device selected: waits until each neighbour may be written to, sends.
    void wait_to_send(const PeerBand& neighbour);
    void send_up(PeerBand& above);
    void send_down(PeerBand& below);
    void finish_sending();
    /// Third: the next filter waits for the own sender, and for that of each neighbour.
    void finish_exchange();
    void wait_for_rows_of(const PeerBand& neighbour);

    /// The stream waits for the band's last filter.
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
    void send(const Part& edge, PeerBand& to, int to_row);
    DeviceBuffer<std::uint8_t> buffer();
    std::size_t at(int row) const { return static_cast<std::size_t>(row) * pitch_; }
    /// The buffer that the next filter writes to.
    DeviceBuffer<std::uint8_t>& next() { return d_[now_ == &d_[0] ? 1 : 0]; }

    Band band_;
    int device_;
    int halo_;  ///< rows
    std::vector<Piece> pieces_;
    std::vector<Part> whole_;            ///< [left]
    std::optional<Part> upper_, lower_;  ///< the edges
    std::size_t row_bytes_, pitch_;
    DeviceBuffer<std::uint8_t> d_in_, d_[2];
    DeviceBuffer<std::uint8_t>* now_ =
        nullptr;  ///< what the next filter reads; after the recording: the result
    Stream stream_, sender_;
    Event ready_{cudaEventDisableTiming}, sent_{cudaEventDisableTiming};
    Event finished_{cudaEventDisableTiming};
};

}  // namespace convolab::async_streams
