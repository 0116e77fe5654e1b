// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// peer_bands -- one picture in bands of rows on several GPUs, the halos from GPU to GPU
// Source: new; the exchange as in NVIDIA's multi-gpu-programming-models, variant p2p.
// Idea: the filters of chain, shared by D devices. Each keeps its band in its memory, and needs p rows of
//     its neighbours per filter (p: the filter's radius). A halo of s times p rows lasts for s filters,
//     which then need no exchange and compute the halo's rows twice instead. Nothing is copied: during the
//     last of these filters a second stream computes the rows that the neighbours need once more, and its
//     kernel stores them in the neighbours' memory, over NVLink where there is one. Events order the
//     kernels of neighbours. A filter of a thin band takes little longer than its launch; so all launches,
//     on all devices, are recorded as one graph, as in graph: the host makes one call per run.
// Since chain: bands, two streams per device, s = 1 to 16 by the height of the bands. And what
//     is timed: kernel_ms begins and ends with the picture on the devices, total_ms adds the upload and
//     the download.
// Limit: GPUs that can access each other's memory. With an exchange, all devices wait for the slowest.
// Alone: build/labs/06_async_streams/lab bench --variant peer_bands --filters 1,100 --size 8k
//     --devices 1,2
#include <algorithm>
#include <cstring>
#include <string>

#include "common/cuda/backend.hpp"
#include "common/cuda/device.hpp"
#include "labs/06_async_streams/parts/chain.hpp"
#include "labs/06_async_streams/parts/peer_band.hpp"
#include "labs/06_async_streams/parts/peers.hpp"
#include "labs/06_async_streams/parts/recorded.hpp"

namespace convolab::async_streams {
namespace {

class PeerBands final : public Convolver {
  public:
    explicit PeerBands(const Job& job) : filters_(job.settings.filters) {
        require_chain(job);
        require_gpu();
        const int devices = devices_to_use(job.settings.devices);
        const std::vector<Band> rows = bands_on_devices(job, devices);
        passes_ = passes_per_exchange(job, rows);
        exchanges_ = devices > 1 && job.filter.radius() > 0;
        wraps_ = job.border.rule == BorderRule::wrap;
        for (int device = 0; device < devices; ++device) {
            const int up = above(device, devices), down = below(device, devices);
            for (const int neighbour : {up, down})
                if (neighbour >= 0) allow_writes(device, neighbour);
            const OnDevice here(device);
            bands_.emplace_back(job, rows[static_cast<std::size_t>(device)],
                                Neighbours{up >= 0, down >= 0}, passes_, device);
        }
        const Image in = stored(job, PixelType::uint8);
        output_ = output_for(job, PixelType::uint8);
        h_in_ = PinnedBuffer<std::uint8_t>(in.bytes());
        h_out_ = PinnedBuffer<std::uint8_t>(output_.bytes());
        std::memcpy(h_in_.data(), in.raw(), in.bytes());
        work_.record(origin_.get(), [this] { issue(origin_.get()); });
    }
    int devices() const override { return static_cast<int>(bands_.size()); }
    KernelResources resources() const override { return bands_.front().resources(); }

    void upload() override {
        for (PeerBand& band : bands_) band.copy_in(h_in_.data());
        for (const PeerBand& band : bands_) band.wait();
    }
    void run() override { work_.launch(nullptr); }
    void download() override {
        CUDA_CHECK(cudaStreamSynchronize(nullptr));
        for (PeerBand& band : bands_) band.copy_out(h_out_.data());
        for (const PeerBand& band : bands_) band.wait();
    }
    Image result() const override {
        Image image = output_;
        std::memcpy(image.raw(), h_out_.data(), image.bytes());
        return image;
    }
    void poison() override {
        CUDA_CHECK(cudaStreamSynchronize(nullptr));
        std::memset(h_out_.data(), 0xA5, h_out_.size());
        for (PeerBand& band : bands_) band.poison();
    }

  private:
    /// The device with the band above and below; -1 where there is none: at the edge of the image, unless
    /// that wraps, and where a filter needs no other band's rows.
    int above(int device, int devices) const {
        if (!exchanges_) return -1;
        return device > 0 ? device - 1 : wraps_ ? devices - 1 : -1;
    }
    int below(int device, int devices) const {
        if (!exchanges_) return -1;
        return device + 1 < devices ? device + 1 : wraps_ ? 0 : -1;
    }

    /// The streams of all bands begin after the origin, and the origin goes on after them.
    void issue(cudaStream_t origin) {
        begun_.record(origin);
        for (PeerBand& band : bands_) band.begin(begun_);
        for (int left = filters_; left > 0;) {
            const int count = std::min(passes_, left);  // until the halo is used up
            left -= count;
            if (left > 0 && exchanges_)
                filter_and_exchange(count);
            else
                for (PeerBand& band : bands_) band.filter(count);
        }
        for (PeerBand& band : bands_) band.make_wait(origin);
    }
    void filter_and_exchange(int count) {
        for (PeerBand& band : bands_) band.filter_before_exchange(count);
        for (int device = 0; device < devices(); ++device) {
            const OnDevice here(device);
            for_neighbours(device,
                           [](PeerBand& band, PeerBand& other) { band.wait_to_send(other); });
            const int up = above(device, devices()), down = below(device, devices());
            if (up >= 0) band(device).send_up(band(up));
            if (down >= 0) band(device).send_down(band(down));
            band(device).finish_sending();
        }
        for (int device = 0; device < devices(); ++device) {
            band(device).finish_exchange();
            for_neighbours(device,
                           [](PeerBand& band, PeerBand& other) { band.wait_for_rows_of(other); });
        }
    }
    /// Once for each neighbour, also where that above is that below.
    template <class Use>
    void for_neighbours(int device, const Use& use) {
        const int up = above(device, devices()), down = below(device, devices());
        if (up >= 0) use(band(device), band(up));
        if (down >= 0 && down != up) use(band(device), band(down));
    }
    PeerBand& band(int device) { return bands_[static_cast<std::size_t>(device)]; }

    int filters_;
    int passes_;  ///< filters per exchange: s
    bool exchanges_;
    bool wraps_;
    std::vector<PeerBand> bands_;  ///< one per device, in order
    Image output_;                 ///< only its size matters
    PinnedBuffer<std::uint8_t> h_in_, h_out_;
    Stream origin_;
    Event begun_{cudaEventDisableTiming};
    Recorded work_;
};

/// Three buffers of the picture's size, and a fourth as room for halos and gaps between rows; where there are
/// several devices, they are divided among them.
MemoryNeed memory_of_bands(const Job& job) {
    const MemoryNeed one = cuda_memory(job);
    return {one.host, 2 * one.device};
}

}  // namespace

extern const Variant peer_bands;
const Variant peer_bands{
    .name = "peer_bands",
    .idea =
        "the filters of chain on one picture in bands, one per GPU, halos stored by kernels in the "
        "neighbours' memory",
    .make = [](const Job& job) -> std::unique_ptr<Convolver> {
        return std::make_unique<PeerBands>(job);
    },
    .uses = kUsesKernel | kUsesFilters | kUsesDevices,
    .memory = memory_of_bands,
    .operation = &filters_on_device(),
};

}  // namespace convolab::async_streams
