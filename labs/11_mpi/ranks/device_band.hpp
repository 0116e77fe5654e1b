// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What variants with a GPU per rank share: the band and its halo in device memory, and the kernels of lab 06
// on some of its rows. The host has the band before the first and after the last pass only, and in
// between the p rows that travel.
#pragma once

#include <optional>
#include <vector>

#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"
#include "labs/06_async_streams/parts/band_kernel.hpp"
#include "labs/11_mpi/ranks/band_work.hpp"

namespace convolab::mpi {

class DeviceBand : public BandWork {
  public:
    /// Throws UnfitSetting for bands that are too thin, Unsupported for a filter that the kernel cannot do,
    /// Skipped where there is no device.
    static void require(const RankJob& job);
    explicit DeviceBand(const RankJob& job);

    void distribute(const Image* picture) override;
    void collect(Image* result) override;
    void poison() override;

  protected:
    /// A launch on some rows of the band.
    struct Rows {
        async_streams::BandKernel kernel;
        std::int64_t first;
    };
    std::optional<Rows> rows(std::int64_t first, std::int64_t end) const;
    void filter(int pass, const std::optional<Rows>& rows, const Stream& stream);

    /// The p rows at both ends of the band, from the device to the host; then, between hosts, to the
    /// neighbours; then the neighbours' rows to the device. The copies wait for their stream.
    void edges_to_host(int pass, const Stream& stream);
    void exchange();
    void halos_to_device(int pass, const Stream& stream);

    /// What each rank sends and receives on each side.
    std::int64_t halo_bytes() const { return job_.radius() * job_.row_bytes(); }

  private:
    std::uint8_t* d_row(int pass, std::int64_t y);
    void copy(std::uint8_t* h_rows, int pass, std::int64_t y, std::int64_t rows, bool to_host,
              const Stream& stream);

    bool has_above() const { return above_ != MPI_PROC_NULL; }
    bool has_below() const { return below_ != MPI_PROC_NULL; }
    std::int64_t up_, down_;  ///< rows of halo
    std::size_t pitch_;
    DeviceBuffer<std::uint8_t> d_[3];  ///< the input, and two in turn
    PinnedBuffer<std::uint8_t> h_first_, h_last_, h_above_, h_below_;
    Stream copies_;
};

/// The settings and the machine of these variants.
Variant device_variant(Variant variant);

}  // namespace convolab::mpi
