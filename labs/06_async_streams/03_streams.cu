// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// streams -- the image in bands, each on a stream
// Source: delbimbo2024, 4.4 and 5.3.
// Idea: the bus works in both directions at once, and the multiprocessors work beside it. So the
//     image is cut into bands: while one band is copied in, the band before it is filtered and the
//     one before that is copied out. Each band includes its halo, K - 1 more rows; without the halo
//     the seams between the bands show in the picture.
// Since pinned: bands, streams, and one wait at the end instead of three.
// Limit: nothing overlaps the upload of the first band or the download of the last. More bands
//     shorten both, but each band costs three more calls and K - 1 more rows of upload.
// Alone: build/labs/06_async_streams/lab bench --variant pinned,streams --streams 1,2,3,4,8 --size 8k
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
    .uses = kUsesStreams | kUsesBands | kUsesKernel,
    .run_copies = true,
    .memory = cuda_memory,
};

}  // namespace convolab::async_streams
