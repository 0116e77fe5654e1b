// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>

#include "common/cuda/byte_rows.hpp"
#include "common/cuda/device.hpp"
#include "labs/06_async_streams/parts/bands.hpp"
#include "labs/06_async_streams/parts/chain.hpp"
#include "labs/06_async_streams/parts/peers.hpp"

namespace convolab::async_streams {
SharedPicture::SharedPicture(const Job& job)
    : height_(static_cast<int>(job.image().height())),
      row_bytes_(static_cast<std::size_t>(job.image().width() * job.image().channels())) {
    require_chain(job);
    output_ = output_for(job, PixelType::uint8);
    const std::vector<Band> bands = bands_on_devices(job, devices_to_use(job.settings.devices));
    passes_ = passes_per_exchange(job, bands);
    halo_ = passes_ * job.filter.radius();
    wraps_ = job.border.rule == BorderRule::wrap && bands.size() > 1;
    for (Band rows : bands) {
        rows.low = inside(rows.first - halo_);
        rows.high = inside(rows.first + rows.rows + halo_);
        const OnDevice here(devices());
        PeerBand& band = bands_.emplace_back();
        band.device = devices() - 1;
        band.rows = rows;
    }
    for (PeerBand& band : bands_) {
        const OnDevice here(band.device);
        add_kernels(job, band);
        for (DeviceBuffer<std::uint8_t>& d_rows : band.d) {
            d_rows = DeviceBuffer<std::uint8_t>(at(band.rows.high - band.rows.low));
            d_rows.fill(0);  // what lies between the rows is read too
        }
        CUDA_CHECK(cudaStreamSynchronize(nullptr));  // other streams do not wait for it
    }
    const Image in = input_for(job, PixelType::uint8);
    h_in_ = PinnedBuffer<std::uint8_t>(in.bytes());
    h_out_ = PinnedBuffer<std::uint8_t>(output_.bytes());
    std::memcpy(h_in_.data(), in.raw(), in.bytes());
}

/// At the edge of the image the border rule finds the rows in the band itself.
int SharedPicture::inside(int row) const { return wraps_ ? row : std::clamp(row, 0, height_); }

PeerBand* SharedPicture::neighbour(int device) {
    if (halo_ == 0) return nullptr;
    if (wraps_) device = (device + devices()) % devices();
    const bool is_there = 0 <= device && device < devices();
    return is_there ? &bands_[static_cast<std::size_t>(device)] : nullptr;
}

void SharedPicture::add_kernels(const Job& job, PeerBand& band) {
    const Band& rows = band.rows;
    const int first = rows.first, end = rows.first + rows.rows;
    const auto writes = [&](int from, int until, PeerBand& to, int to_row) {
        const BandKernel kernel = band_kernel(job, {from, until - from, rows.low, rows.high});
        pitch_ =
            packed_pitch(kernel.in, static_cast<std::int64_t>(row_bytes_));  // the output's, too
        return RowsOfBand{kernel, &to, at(to_row - to.rows.low)};
    };
    for (int n = 0; n < passes_; ++n) {
        const int from = inside(first - n * job.filter.radius());
        const int until = inside(end + n * job.filter.radius());
        band.filters.push_back(writes(from, until, band, from));
    }
    PeerBand *const above = neighbour(band.device - 1), *const below = neighbour(band.device + 1);
    if (above != nullptr) {
        band.edges.push_back(
            writes(first, first + halo_, *above, above->rows.first + above->rows.rows));
        band.neighbours.push_back(above);
    }
    if (below != nullptr) {
        band.edges.push_back(writes(end - halo_, end, *below, below->rows.low));
        if (below != above) band.neighbours.push_back(below);
    }
}

void SharedPicture::capture() {
    const cudaEvent_t begun = bands_.front().ready.get();  // of device 0, as the origin
    CUDA_CHECK(cudaStreamBeginCapture(origin_.get(), cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaEventRecord(begun, origin_.get()));
    for (const PeerBand& band : bands_)
        CUDA_CHECK(cudaStreamWaitEvent(band.stream.get(), begun, 0));
    issue();
    CUDA_CHECK(cudaSetDevice(0));
    for (const PeerBand& band : bands_) {
        CUDA_CHECK(cudaEventRecord(band.ready.get(), band.stream.get()));
        CUDA_CHECK(cudaStreamWaitEvent(origin_.get(), band.ready.get(), 0));
    }
    cudaGraph_t recorded = nullptr;
    CUDA_CHECK(cudaStreamEndCapture(origin_.get(), &recorded));
    const cudaError_t made = cudaGraphInstantiate(&graph_, recorded, 0);
    CUDA_CHECK(cudaGraphDestroy(recorded));
    CUDA_CHECK(made);
}

void SharedPicture::throw_no_access(const PeerBand& from, const PeerBand& to) {
    throw Skipped("GPU " + std::to_string(from.device) + " cannot write to the memory of GPU " +
                  std::to_string(to.device) +
                  ", as the bands need; use --devices 1, or --variant multi_gpu.");
}

void SharedPicture::upload() {
    for (PeerBand& band : bands_)
        for (int y = band.rows.low, rows = 0; y < band.rows.high; y += rows) {
            const int from = (y + height_) % height_;  // past the image with `wrap` only
            rows = std::min(band.rows.high - y, height_ - from);
            CUDA_CHECK(cudaMemcpy2DAsync(band.d[0].data() + at(y - band.rows.low), pitch_,
                                         h_in_.data() + static_cast<std::size_t>(from) * row_bytes_,
                                         row_bytes_, row_bytes_, static_cast<std::size_t>(rows),
                                         cudaMemcpyHostToDevice, band.stream.get()));
        }
    for (const PeerBand& band : bands_) band.stream.wait();
}

void SharedPicture::download() {
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
    for (const PeerBand& band : bands_)
        CUDA_CHECK(cudaMemcpy2DAsync(
            h_out_.data() + static_cast<std::size_t>(band.rows.first) * row_bytes_, row_bytes_,
            band.d[result_].data() + at(band.rows.first - band.rows.low), pitch_, row_bytes_,
            static_cast<std::size_t>(band.rows.rows), cudaMemcpyDeviceToHost, band.stream.get()));
    for (const PeerBand& band : bands_) band.stream.wait();
}

const Image& SharedPicture::result() {
    std::memcpy(output_.raw(), h_out_.data(), output_.bytes());
    return output_;
}

void SharedPicture::poison() {
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
    std::memset(h_out_.data(), 0xA5, h_out_.size());
    for (PeerBand& band : bands_) {
        const OnDevice here(band.device);
        for (const int turn : {1, 2}) band.d[turn].fill(0xA5);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}

MemoryNeed memory_of_bands(const Job& job) {
    const MemoryNeed one = cuda_memory(job);
    return {one.host, 2 * one.device};
}

}  // namespace convolab::async_streams
