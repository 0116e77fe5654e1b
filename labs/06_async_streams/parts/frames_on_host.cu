// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>

#include "common/cuda/backend.hpp"
#include "common/cuda/near_device.hpp"
#include "labs/06_async_streams/parts/frames_on_host.hpp"

namespace convolab::async_streams {

namespace {

/// Where sample i, of channel c, is in a frame with `turn`.
std::int64_t turned(std::int64_t i, int c, int channels, int turn) {
    return i - c + (c + turn) % channels;
}

}  // namespace

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
    const auto number = static_cast<int>(frames_.size());
    frames_.push_back({HostBuffer(in.bytes(), memory_), HostBuffer(output_.bytes(), memory_),
                       (number / devices() + number % devices()) % in.channels(), frames_.size()});
    Frame& frame = frames_.back();
    for (int c = 0; c < in.channels(); ++c)
        for (std::int64_t i = c; i < in.samples(); i += in.channels())
            frame.in.data()[turned(i, c, in.channels(), frame.turn)] = in.data<std::uint8_t>()[i];
    for (const Band& band : bands)
        bands_.emplace_back(job, band, frame.in.data(), frame.out.data(), memory_, device);
}

std::size_t FramesOnHost::place_of(int number) {
    const std::size_t n = static_cast<std::size_t>(number), places = frames_.size();
    Frame& frame = frames_[n % places];
    frame.reads = (n + n / places * static_cast<std::size_t>(devices())) % places;
    bands_[n % places].read_from(frames_[frame.reads].in.data());
    return n % places;
}

Image FramesOnHost::result() const {
    Image image = output_;
    auto* samples = image.data<std::uint8_t>();
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const int turn = frames_[frames_[f].reads].turn;
        for (int c = 0; c < image.channels(); ++c)
            for (std::int64_t i = c; i < image.samples(); i += image.channels()) {
                const std::uint8_t sample =
                    frames_[f].out.data()[turned(i, c, image.channels(), turn)];
                if (f == 0) samples[i] = sample;
                if (samples[i] != sample)
                    throw Error("Of the frames in flight, number " + std::to_string(f) +
                                " has not the output of number 0, though their inputs differ only "
                                "in the order of the channels.");
            }
    }
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
