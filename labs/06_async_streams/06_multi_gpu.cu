// SPDX-License-Identifier: MIT
// multi_gpu -- frames for all devices in turn
// Source: new.
// Idea: each GPU has its own bus, so two GPUs can copy two frames at once. Frame n goes to device
//     n mod D. Frames are independent, so the devices never wait for each other. One CPU thread
//     issues all work: three calls per frame.
// Since frames: each device has its own streams and buffers. Pinned memory is allocated by a thread
//     on the CPUs next to its device, so that copies do not cross from one processor socket to the
//     other.
// Limit: the slowest bus, and the bandwidth of the host's memory, which all devices share.
// Alone: build/labs/06_async_streams/lab bench --variant frames,multi_gpu --size 4k,8k
#include <algorithm>

#include "common/cuda/device.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"
#include "labs/06_async_streams/variants.hpp"

namespace convolab::async_streams {
namespace {

class MultiGpu final : public FramesOnHost {
  public:
    explicit MultiGpu(const Job& job)
        : FramesOnHost(job),
          devices_(devices_to_use(job.settings.devices)),
          frames_(devices_ * job.settings.frames) {}

    void allocate(const Job& job) {
        if (job.cold)
            throw Unsupported(
                "A run reads the same pictures several times, so with --cold only the "
                "first of them come from memory; use `frames`.");
        const BackToFirst back{};
        for (int i = 0; i < frames_in_flight(job) * devices_; ++i) {
            const int device = i % devices_;
            CUDA_CHECK(cudaSetDevice(device));
            const NearDevice near(device);  // host memory allocated here is near it, too
            places_.push_back({device, {job, whole_image(job)}});
            auto& [on, image, h_in, h_out, stream] = places_.back();
            CUDA_CHECK(cudaMallocHost(&h_in, image.in.host_bytes()));
            CUDA_CHECK(cudaMallocHost(&h_out, image.out.host_bytes()));
            CUDA_CHECK(cudaMalloc(&image.d_in, image.in.device_bytes()));
            CUDA_CHECK(cudaMalloc(&image.d_out, image.out.device_bytes()));
            CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            add_frame(job, h_in, h_out);
            add_band(image);
        }
    }
    ~MultiGpu() override {
        for (const Place& place : places_) {
            if (place.stream != nullptr) (void)cudaStreamDestroy(place.stream);
            (void)cudaFree(place.image.d_out);
            (void)cudaFree(place.image.d_in);
            (void)cudaFreeHost(place.h_out);
            (void)cudaFreeHost(place.h_in);
        }
    }

    int frames_per_run() const override { return frames_; }
    int devices() const override { return devices_; }
    void run() override {
        const BackToFirst back{};
        for (int frame = 0; frame < frames_; ++frame) {
            const Place& place = places_[static_cast<std::size_t>(frame) % places_.size()];
            CUDA_CHECK(cudaSetDevice(place.device));
            const auto& [kernel, in, out, d_in, d_out] = place.image;
            TimedPart part(timeline_, place.stream);
            CUDA_CHECK(cudaMemcpy2DAsync(d_in + in.lead, in.pitch, input_of(frame), in.bytes,
                                         in.bytes, in.count, cudaMemcpyHostToDevice, place.stream));
            part.copied_in();
            kernel.launch(d_in + in.lead, d_out, place.stream);
            CUDA_CHECK(cudaGetLastError());
            part.filtered();
            CUDA_CHECK(cudaMemcpy2DAsync(place.h_out, out.bytes, d_out, out.pitch, out.bytes,
                                         out.count, cudaMemcpyDeviceToHost, place.stream));
            part.copied_out();
        }
        for (const Place& place : places_) CUDA_CHECK(cudaStreamSynchronize(place.stream));
    }

  private:
    struct Place {
        int device;
        BandOnDevice image;
        std::uint8_t *h_in = nullptr, *h_out = nullptr;
        cudaStream_t stream = nullptr;
    };
    int devices_;
    int frames_;                 ///< per run: settings.frames per device
    std::vector<Place> places_;  ///< the devices in turn
};

/// Host memory for the frames of all devices, device memory for those of one.
MemoryNeed memory_of_all(const Job& job) {
    MemoryNeed need = frames_memory(job);
    need.host *= std::max(1, devices_to_use(job.settings.devices));
    return need;
}

}  // namespace

const Variant multi_gpu{
    .name = "multi_gpu",
    .idea = "the frames in turn to all devices",
    .make = make_one<MultiGpu>,
    .uses = kUsesFrames | kUsesKernel | kUsesDevices,
    .run_copies = true,
    .memory = memory_of_all,
    .awkward = strip_ends(),
};

}  // namespace convolab::async_streams
