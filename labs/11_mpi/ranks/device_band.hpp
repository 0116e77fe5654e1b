// SPDX-License-Identifier: MIT
// Shared by the variants with a GPU per rank: the band and its halo in device memory, and a kernel
// on some of its rows. The host has the band only before the first pass and after the last.
#pragma once

#include <optional>
#include <vector>

#include "common/cuda/band_kernel.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"
#include "labs/11_mpi/ranks/band_work.hpp"

namespace convolab::mpi {

class DeviceBand : public BandWork {
  public:
    /// Throws UnfitSetting if bands are too thin, Unsupported if the kernel does not support the
    /// filter, Skipped if there is no device.
    static void require(const RankJob& job);
    explicit DeviceBand(const RankJob& job);

    void distribute(const Image* picture) override;
    void collect(Image* result) override;
    void poison() override;

  protected:
    /// A launch on some rows of the band.
    struct Rows {
        BandKernel kernel;
        std::int64_t first;
    };
    std::optional<Rows> rows(std::int64_t first, std::int64_t end) const;
    void filter(int pass, const std::optional<Rows>& rows, const Stream& stream);

    /// Row y of the band, from -up() to below the band, of the picture that a pass reads
    /// (Part::slot).
    std::uint8_t* d_row(int pass, std::int64_t y) {
        return d_[Part::slot(pass)].data() + (up_ + y) * pitch_;
    }
    /// Bytes from one row to the next in device memory, the same on every rank.
    std::int64_t pitch() const { return pitch_; }
    /// Rows of halo: the radius, or 0 if there is no neighbour.
    std::int64_t up() const { return up_; }
    std::int64_t down() const { return down_; }
    /// `rows` rows from row y on; on the host they follow each other. It does not wait.
    void copy(std::uint8_t* h_rows, int pass, std::int64_t y, std::int64_t rows, bool to_host,
              const Stream& stream);

  private:
    bool has_above() const { return above_ != MPI_PROC_NULL; }
    bool has_below() const { return below_ != MPI_PROC_NULL; }
    std::int64_t up_, down_;  ///< rows of halo
    std::int64_t pitch_;
    DeviceBuffer<std::uint8_t> d_[3];  ///< the input, and two in turn
    Stream copies_;
};

/// The settings and the machine of these variants.
Variant device_variant(Variant variant);

}  // namespace convolab::mpi
