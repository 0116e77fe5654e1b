// SPDX-License-Identifier: MIT
// frames -- many frames, several in flight: the steady state
// Source: new.
// Idea: one image has a beginning and an end, where the bus works in only one direction. In a
//     video, frame n is copied out while frame n + 1 is filtered and frame n + 2 is copied in. Each
//     frame in flight has its own buffers on host and device, and its own stream. The stream keeps
//     the frames that share these buffers in order.
// Since streams: whole frames instead of bands, so no halos; the buffers are reused.
// Limit: the bandwidth of the bus with both directions busy. With small pictures, also the calls.
// Alone: build/labs/06_async_streams/lab bench --variant frames --frames 32 --in-flight 1,2,3,4
//     --size 4k
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {
namespace {

class Frames final : public FramesOnHost {
  public:
    explicit Frames(const Job& job) : FramesOnHost(job), frames_(job.settings.frames) {}

    void allocate(const Job& job) {
        for (int i = 0; i < frames_in_flight(job); ++i) {
            places_.push_back({{job, whole_image(job)}});
            auto& [image, stream] = places_.back();
            CUDA_CHECK(cudaMalloc(&image.d_in, image.in.device_bytes()));
            CUDA_CHECK(cudaMalloc(&image.d_out, image.out.device_bytes()));
            CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            add_band(image);
        }
        const BandOnDevice& image = places_.front().image;
        for (int i = 0; i < frames_on_host(job); ++i) {
            auto& [h_in, h_out] = pictures_.emplace_back();
            CUDA_CHECK(cudaMallocHost(&h_in, image.in.host_bytes()));
            CUDA_CHECK(cudaMallocHost(&h_out, image.out.host_bytes()));
            add_frame(job, h_in, h_out);
        }
    }
    ~Frames() override {
        for (const Place& place : places_) {
            if (place.stream != nullptr) (void)cudaStreamDestroy(place.stream);
            (void)cudaFree(place.image.d_out);
            (void)cudaFree(place.image.d_in);
        }
        for (const Picture& picture : pictures_) {
            (void)cudaFreeHost(picture.h_out);
            (void)cudaFreeHost(picture.h_in);
        }
    }

    int frames_per_run() const override { return frames_; }
    void run() override {
        for (int frame = 0; frame < frames_; ++frame) {
            const auto number = static_cast<std::size_t>(frame);
            const Place& place = places_[number % places_.size()];
            const Picture& picture = pictures_[number % pictures_.size()];
            const auto& [kernel, in, out, d_in, d_out] = place.image;
            TimedPart part(timeline_, place.stream);
            CUDA_CHECK(cudaMemcpy2DAsync(d_in + in.lead, in.pitch, input_of(frame), in.bytes,
                                         in.bytes, in.count, cudaMemcpyHostToDevice, place.stream));
            part.copied_in();
            kernel.launch(d_in + in.lead, d_out, place.stream);
            CUDA_CHECK(cudaGetLastError());
            part.filtered();
            CUDA_CHECK(cudaMemcpy2DAsync(picture.h_out, out.bytes, d_out, out.pitch, out.bytes,
                                         out.count, cudaMemcpyDeviceToHost, place.stream));
            part.copied_out();
        }
        for (const Place& place : places_) CUDA_CHECK(cudaStreamSynchronize(place.stream));
    }

  private:
    struct Place {
        BandOnDevice image;
        cudaStream_t stream = nullptr;
    };
    struct Picture {
        std::uint8_t *h_in = nullptr, *h_out = nullptr;
    };
    int frames_;
    std::vector<Place> places_;      ///< frame n is in place n modulo their number
    std::vector<Picture> pictures_;  ///< likewise; with --cold one for each frame
};

}  // namespace

const Variant frames{
    .name = "frames",
    .idea = "many frames, several in flight: the steady state of a video",
    .make = make_one<Frames>,
    .uses = kUsesFrames | kUsesKernel,
    .run_copies = true,
    .memory = frames_memory,
    .awkward = strip_ends(),
};

}  // namespace convolab::async_streams
