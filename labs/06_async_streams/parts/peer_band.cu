// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/cuda/byte_rows.hpp"
#include "labs/06_async_streams/parts/peer_band.hpp"

namespace convolab::async_streams {
namespace {

/// The band with its halo. At the edge of the image the border rule finds the rows in the band itself.
Band with_halo(Band rows, Neighbours neighbours, int halo) {
    rows.low = rows.first - (neighbours.above ? halo : 0);
    rows.high = rows.first + rows.rows + (neighbours.below ? halo : 0);
    return rows;
}

}  // namespace

std::vector<Piece> pieces_of(const Job& job, const Band& band) {
    const std::int64_t height = job.image().height();
    std::vector<Piece> pieces;
    for (int y = band.low; y < band.high;) {  // a piece ends at the end of the image
        const auto from = static_cast<int>(source_index(job.border.rule, y, height));
        const int rows = std::min(band.high - y, static_cast<int>(height) - from);
        pieces.push_back({from, y - band.low, rows});
        y += rows;
    }
    return pieces;
}

PeerBand::PeerBand(const Job& job, const Band& rows, Neighbours neighbours, int passes, int device)
    : band_(with_halo(rows, neighbours, passes * job.filter.radius())),
      device_(device),
      halo_(passes * job.filter.radius()),
      pieces_(pieces_of(job, band_)) {
    const int end = band_.first + band_.rows;
    for (int left = 0; left < passes; ++left) {
        const int more = left * job.filter.radius();
        whole_.push_back(part(job, band_.first - (neighbours.above ? more : 0),
                              end + (neighbours.below ? more : 0)));
    }
    if (neighbours.above) upper_ = part(job, band_.first, band_.first + halo_);
    if (neighbours.below) lower_ = part(job, end - halo_, end);

    const DeviceRows& stored = whole_.front().kernel.out;  // its input is stored in the same way
    row_bytes_ = static_cast<std::size_t>(job.image().width() * job.image().channels());
    pitch_ = packed_pitch(stored, static_cast<std::int64_t>(row_bytes_));
    d_in_ = buffer();
    d_[0] = buffer();
    d_[1] = buffer();
}

PeerBand::Part PeerBand::part(const Job& job, int from, int end) const {
    return {band_kernel(job, {from, end - from, band_.low, band_.high}), from - band_.low};
}

DeviceBuffer<std::uint8_t> PeerBand::buffer() {
    DeviceBuffer<std::uint8_t> d_rows(at(band_.high - band_.low));
    d_rows.fill(0);                              // what lies between the rows is read too
    CUDA_CHECK(cudaStreamSynchronize(nullptr));  // other streams do not wait for it
    return d_rows;
}

void PeerBand::copy_in(const std::uint8_t* h_in) {
    for (const Piece& piece : pieces_)
        CUDA_CHECK(cudaMemcpy2DAsync(d_in_.data() + at(piece.row), pitch_,
                                     h_in + static_cast<std::size_t>(piece.from) * row_bytes_,
                                     row_bytes_, row_bytes_, static_cast<std::size_t>(piece.rows),
                                     cudaMemcpyHostToDevice, stream_.get()));
}

void PeerBand::copy_out(std::uint8_t* h_out) {
    CUDA_CHECK(cudaMemcpy2DAsync(h_out + static_cast<std::size_t>(band_.first) * row_bytes_,
                                 row_bytes_, now_->data() + at(band_.first - band_.low), pitch_,
                                 row_bytes_, static_cast<std::size_t>(band_.rows),
                                 cudaMemcpyDeviceToHost, stream_.get()));
}

void PeerBand::begin(const Event& after) {
    now_ = &d_in_;
    after.make_wait(stream_.get());
}

void PeerBand::launch(const Part& part) {
    part.kernel.launch(now_->data(), next().data() + at(part.row), stream_.get());
    CUDA_CHECK(cudaGetLastError());
}

void PeerBand::filter(int count, int halo_left) {
    const OnDevice here(device_);
    for (; count > 0; --count, now_ = &next())
        launch(whole_[static_cast<std::size_t>(halo_left + count - 1)]);
}

void PeerBand::filter_before_exchange(int count) {
    filter(count - 1, 1);
    const OnDevice here(device_);
    ready_.record(stream_.get());
    ready_.make_wait(sender_.get());
    launch(whole_.front());
}

void PeerBand::wait_to_send(const PeerBand& neighbour) {
    neighbour.ready_.make_wait(sender_.get());
}

void PeerBand::send(const Part& edge, PeerBand& to, int to_row) {
    edge.kernel.launch(now_->data(), to.next().data() + to.at(to_row - to.band_.low),
                       sender_.get());
    CUDA_CHECK(cudaGetLastError());
}

void PeerBand::send_up(PeerBand& above) {
    send(*upper_, above, above.band_.first + above.band_.rows);
}

void PeerBand::send_down(PeerBand& below) { send(*lower_, below, below.band_.first - halo_); }

void PeerBand::finish_sending() { sent_.record(sender_.get()); }

void PeerBand::finish_exchange() {
    sent_.make_wait(stream_.get());
    now_ = &next();
}

void PeerBand::wait_for_rows_of(const PeerBand& neighbour) {
    neighbour.sent_.make_wait(stream_.get());
}

void PeerBand::make_wait(cudaStream_t stream) {
    finished_.record(stream_.get());
    finished_.make_wait(stream);
}

void PeerBand::poison() {
    const OnDevice here(device_);
    for (DeviceBuffer<std::uint8_t>& d_rows : d_) d_rows.fill(0xA5);
    CUDA_CHECK(cudaDeviceSynchronize());
}

}  // namespace convolab::async_streams
