// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>

#include "common/cuda/backend.hpp"
#include "common/cuda/near_device.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {

HostBuffer::HostBuffer(std::size_t bytes, HostMemory memory) {
    if (memory == HostMemory::pinned)
        pinned_ = PinnedBuffer<std::uint8_t>(bytes);
    else
        pageable_ = std::vector<std::uint8_t>(bytes);
}

FramesOnHost::FramesOnHost(const Job& job, HostMemory memory)
    : memory_(memory), output_(output_for(job, PixelType::uint8)) {
    require_gpu();
}

void FramesOnHost::add_frame(const Job& job, const std::vector<Band>& bands, int device) {
    const NearDevice near(device);
    const Image in = stored(job, PixelType::uint8);
    frames_.push_back({HostBuffer(in.bytes(), memory_), HostBuffer(output_.bytes(), memory_)});
    Frame& frame = frames_.back();
    std::memcpy(frame.in.data(), in.raw(), in.bytes());
    for (const Band& band : bands)
        bands_.emplace_back(job, band, frame.in.data(), frame.out.data(), memory_, device);
}

Image FramesOnHost::result() const {
    Image image = output_;
    std::memcpy(image.raw(), frames_.front().out.data(), image.bytes());
    for (std::size_t i = 1; i < frames_.size(); ++i)
        if (std::memcmp(image.raw(), frames_[i].out.data(), image.bytes()) != 0)
            throw Error("Of the frames in flight, number " + std::to_string(i) +
                        " differs from number 0, and all are the same picture.");
    return image;
}

std::vector<Span> FramesOnHost::timeline() {
    constexpr int kWarmUps = 3;
    for (int i = 0; i < kWarmUps; ++i) run();
    Timeline timeline(devices());
    const auto record_times = [&](Timeline* where) {
        for (BandFilter& band : bands_) band.record_times(where);
        prepare();
    };
    record_times(&timeline);
    run();
    record_times(nullptr);
    return timeline.spans();
}

void FramesOnHost::poison() {
    for (Frame& frame : frames_) std::memset(frame.out.data(), 0xA5, output_.bytes());
    for (BandFilter& band : bands_) band.poison();
}

int frames_in_flight(const Job& job) {
    return std::min(job.settings.in_flight, job.settings.frames);
}

MemoryNeed frames_memory(const Job& job) {
    const int frames = frames_in_flight(job);
    const MemoryNeed one = cuda_memory(job);
    return {frames * one.host, frames * one.device};
}

}  // namespace convolab::async_streams
