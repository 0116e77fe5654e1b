// SPDX-License-Identifier: MIT
// From a kernel that compares two frames to an entry of a lab's list. A page is a kernel and one
// call:
//
//     const Variant grid = frame_pair_variant(
//         {.name = "grid", .idea = "the whole device, coalesced"}, [](CudaFramePair& v) {
//             v.prepare(heat_map, {dim3(blocks_for(v.pixels, 256)), dim3(256)});
//             v.set({.launch = [&v] {
//                 heat_map<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
//                                              v.pixels);
//             }});
//         });
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "common/cuda/launch_shape.hpp"
#include "common/cuda/memory.hpp"
#include "common/variant/frame_pair.hpp"

namespace convolab {

/// What a kernel writes of its output before the host reads it.
enum class Writes {
    all,
    only_reds,               ///< the rest was cleared once, before the first run
    over_the_previous_frame  ///< the output is that frame, with what the kernel writes over it
};

struct FramePairSettings {
    /// The current frame stays on the device as the previous one of the next pair: two pointers
    /// are swapped instead of a copy.
    bool keeps_the_previous_frame = false;
    Writes writes = Writes::all;
    Image output = {};             ///< the output is like this image; empty: like a frame
    std::function<void()> launch;  ///< what is run for every pair of frames, and timed
    /// How the output comes to the host, unless it is copied whole.
    std::function<void(Image& out)> download = {};
    /// What follows from the output alone and is no work of the variant: not timed. The result of
    /// calling it twice is that of calling it once.
    std::function<void(Image& out)> postprocess = {};
};

/// One variant bound to one job: two frames of RGB bytes on the device, and an output, which is
/// another such frame unless the setup says something else.
class CudaFramePair final : public Convolver, public PreparedKernel {
  public:
    /// Throws Skipped where there is no device, Unsupported for frames of over 2^31 bytes.
    explicit CudaFramePair(const Job& job);

    /// Called by the setup, once.
    void set(FramePairSettings settings);

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

    bool is_over_previous() const { return how_.writes == Writes::over_the_previous_frame; }

    FramePair frames_;
    FramePairSettings how_;
    Image output_;
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
