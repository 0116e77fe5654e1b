// SPDX-License-Identifier: MIT
#include "common/cuda/backend.hpp"
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/device.hpp"
#include "labs/11_mpi/ranks/backend.hpp"
#include "labs/11_mpi/ranks/device_band.hpp"

namespace convolab::mpi {
namespace {

/// Ranks of one machine take its devices in turn.
int device_of_rank() { return place_on_machine() % device_count(); }

}  // namespace

void DeviceBand::require(const RankJob& job) {
    require_device();
    require_parts(job.height, job.ranks(), job.radius(), "rows");
    const Image size(job.width, job.height, job.channels);
    const Job whole{{&size}, job.filter, job.border, job.settings};
    const int height = static_cast<int>(job.height);
    band_kernel(whole, {0, height, 0, height});
}

DeviceBand::DeviceBand(const RankJob& job)
    : BandWork(job, job.radius()),
      up_(has_above() ? job.radius() : 0),
      down_(has_below() ? job.radius() : 0) {
    CUDA_CHECK(cudaSetDevice(device_of_rank()));
    const auto all = rows(0, part_.height());
    pitch_ = static_cast<std::int64_t>(packed_pitch(all->kernel.out, job.row_bytes()));
    for (DeviceBuffer<std::uint8_t>& d_rows : d_) {
        d_rows = DeviceBuffer<std::uint8_t>(
            static_cast<std::size_t>((up_ + part_.height() + down_) * pitch_));
        d_rows.fill(0);  // what lies between the rows is read too
    }
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

std::optional<DeviceBand::Rows> DeviceBand::rows(std::int64_t first, std::int64_t end) const {
    if (first >= end) return {};
    const Job local{{&part_.picture()}, job_.filter, job_.border, job_.settings};
    const Band band{static_cast<int>(up_ + first), static_cast<int>(end - first), 0,
                    static_cast<int>(up_ + part_.height() + down_)};
    return Rows{band_kernel(local, band), first};
}

void DeviceBand::filter(int pass, const std::optional<Rows>& rows, const Stream& stream) {
    if (!rows) return;
    rows->kernel.launch(d_row(pass, -up_), d_row(pass + 1, rows->first), stream.get());
    CUDA_CHECK(cudaGetLastError());
}

void DeviceBand::copy(std::uint8_t* h_rows, int pass, std::int64_t y, std::int64_t rows,
                      bool to_host, const Stream& stream) {
    if (rows == 0) return;
    const auto bytes = static_cast<std::size_t>(job_.row_bytes());
    const auto count = static_cast<std::size_t>(rows);
    const auto pitch = static_cast<std::size_t>(pitch_);
    if (to_host)
        CUDA_CHECK(cudaMemcpy2DAsync(h_rows, bytes, d_row(pass, y), pitch, bytes, count,
                                     cudaMemcpyDeviceToHost, stream.get()));
    else
        CUDA_CHECK(cudaMemcpy2DAsync(d_row(pass, y), pitch, h_rows, bytes, bytes, count,
                                     cudaMemcpyHostToDevice, stream.get()));
}

void DeviceBand::distribute(const Image* picture) {
    part_.distribute(picture);
    copy(part_.row(0, 0), 0, 0, part_.height(), false, copies_);
    copies_.wait();
}

void DeviceBand::collect(Image* result) {
    copy(part_.row(job_.passes(), 0), job_.passes(), 0, part_.height(), true, copies_);
    copies_.wait();
    part_.collect(result);
}

void DeviceBand::poison() {
    for (int i : {1, 2}) d_[i].fill(0xA5);
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
    part_.poison();
}

Variant device_variant(Variant variant) {
    variant.uses |= kUsesKernel;
    variant.backend = &on_ranks(gpu_backend());
    variant.awkward = strip_ends();
    variant.memory = [](const Job& job) {
        const auto bytes = static_cast<std::int64_t>(job.image().bytes());
        return MemoryNeed{5 * bytes, 4 * bytes};
    };
    return variant;
}

}  // namespace convolab::mpi
