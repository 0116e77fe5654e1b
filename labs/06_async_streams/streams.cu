// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// streams (delbimbo2024 4.4): the image in bands, each on a stream of its own.
//
// Idea: the bus works in both directions at once and the processors beside it. So the image is cut
//   into bands; while one comes in, the one before is filtered and the one before that goes out.
//   A band carries its halo, the K - 1 rows that its filter reaches beyond it: without them the
//   bands' seams show in the picture. Halo rows travel twice, which costs (K - 1) rows a band.
// Since pinned: bands, streams, and one wait at the end instead of three.
// What limits it: the first band's way in and the last one's way out have no company; more bands
//   make them shorter, and cost more calls.
// Alone: build/labs/06_async_streams/lab bench --variant pinned,streams --streams 1,2,3,4,8 --size
// 8k
#include "common/cuda/stream.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {
namespace {

class Streams final : public FramesOnHost {
  public:
    explicit Streams(const Job& job)
        : FramesOnHost(job, HostMemory::pinned),
          streams_(static_cast<std::size_t>(job.settings.streams)) {
        add_frame(job, cut_in_bands(job, job.settings.bands_or_streams()));
    }
    void run() override {
        for (std::size_t b = 0; b < bands_.size(); ++b) {
            const cudaStream_t stream = streams_[b % streams_.size()].get();
            bands_[b].copy_in(stream);
            bands_[b].filter(stream);
            bands_[b].copy_out(stream);
        }
        for (const Stream& stream : streams_) stream.wait();
    }

  private:
    std::vector<Stream> streams_;
};

}  // namespace

extern const Variant streams;
const Variant streams{
    .name = "streams",
    .idea = "the image in bands with halos, each copied in, filtered and copied out on its stream",
    .make = make_one<Streams>,
    .uses = kUsesStreams | kUsesBands,
    .run_copies = true,
    .memory = cuda_memory,
};

}  // namespace convolab::async_streams
