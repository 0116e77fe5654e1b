// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// From a kernel that compares two frames to an entry of a lab's list. A page is a kernel and one
// call:
//
//     const Variant grid = frame_pair_variant(
//         {.name = "grid", .idea = "the whole device, coalesced"}, [](CudaFramePair& v) {
//             v.prepare(heat_map, {dim3(blocks_for(v.pixels, 256)), dim3(256)});
//             v.set_launch([&v] {
//                 heat_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
//                                              v.pixels);
//             });
//         });
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "common/cuda/memory.hpp"
#include "common/cuda/prepared_kernel.hpp"
#include "common/variant/frame_pair.hpp"

namespace convolab {

/// One variant bound to one job: two frames of RGB bytes on the device, and an output, which is
/// another such frame unless the setup says something else.
class CudaFramePair final : public Convolver, public PreparedKernel {
  public:
    /// Throws Skipped where there is no device, Unsupported for frames of over 2^31 bytes.
    explicit CudaFramePair(const Job& job);

    // What a setup may say.
    /// What is run for every pair of frames, and timed.
    void set_launch(std::function<void()> launch) { launch_ = std::move(launch); }
    /// The current frame stays on the device as the previous one of the next pair: two pointers
    /// are swapped instead of a copy.
    void keeps_the_previous_frame() { keeps_previous_ = true; }
    /// The output is cleared once, here; the kernel writes only the red samples.
    void writes_only_reds() { only_reds_ = true; }
    /// The output is the previous frame with what the kernel writes over it.
    void writes_over_the_previous_frame();
    /// The output is like this image.
    void output_like(Image output);
    /// How the output comes to the host: out is like the image of output_like().
    void downloads(std::function<void(Image& out)> download) { download_ = std::move(download); }
    /// What follows from the output alone and is no work of the variant: added in result(),
    /// untimed.
    void postprocesses(std::function<void(Image& out)> postprocess) {
        postprocess_ = std::move(postprocess);
    }

    /// Of Variant::pinned_frames, after the setup: the output comes into pinned memory, and nothing
    /// waits for a copy but download().
    void pin_output();

    void upload() override;
    void next_frame() override;
    void restore_input() override;
    void run() override;
    void download() override;
    const Image& result() override;
    void poison() override;
    KernelResources resources() const override { return kernel_resources(); }
    std::unique_ptr<FrameStream> stream() override;

    std::uint8_t* d_previous() { return d_previous_.data(); }
    const std::uint8_t* d_current() const { return d_current_.data(); }
    std::uint8_t* d_out() { return d_out_.data(); }

    const Job job;
    const Settings settings;
    const int pixels;
    const int width, height;

  private:
    friend class CudaFrameStream;  // exchanges the buffers

    FramePair frames_;
    Image output_;
    std::function<void()> launch_;
    std::function<void(Image&)> download_, postprocess_;
    bool keeps_previous_ = false, only_reds_ = false, over_previous_ = false;
    bool pinned_ = false;
    DeviceBuffer<std::uint8_t> d_previous_, d_current_, d_out_;
};

/// One block of the setting block_threads.
inline LaunchShape one_block(const Settings& settings) {
    return {dim3(1), dim3(static_cast<unsigned>(settings.block_threads))};
}

/// Completes `variant`: RGB frames, and the setup that runs once per job.
Variant frame_pair_variant(Variant variant, const std::function<void(CudaFramePair&)>& setup);

}  // namespace convolab
