// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/cuda/device.hpp"
#include "labs/06_async_streams/parts/timeline.hpp"

namespace convolab::async_streams {
namespace {

/// During a capture the event becomes a node of the graph, so that each launch records it.
void record(const Event& event, cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (stream != nullptr) CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
    const unsigned flags =
        status == cudaStreamCaptureStatusActive ? cudaEventRecordExternal : cudaEventRecordDefault;
    CUDA_CHECK(cudaEventRecordWithFlags(event.get(), stream, flags));
}

double ms_between(const Event& from, const Event& to) {
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, from.get(), to.get()));
    return static_cast<double>(ms);
}

}  // namespace

Timeline::Timeline(int devices) {
    for (int device = 0; device < devices; ++device) {
        const OnDevice here(device);
        CUDA_CHECK(cudaDeviceSynchronize());
        origins_.emplace_back();
    }
    for (int device = 0; device < devices; ++device) {
        const OnDevice here(device);
        origins_[static_cast<std::size_t>(device)].record();
    }
}

void Timeline::begin(cudaStream_t stream) {
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    parts_.push_back({device, stream, {}});
    end_step();
}

void Timeline::end_step() {
    Part& part = parts_.back();
    part.events.emplace_back();
    record(part.events.back(), part.stream);
}

std::vector<Span> Timeline::spans() const {
    for (std::size_t device = 0; device < origins_.size(); ++device) {
        const OnDevice here(static_cast<int>(device));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    std::vector<std::vector<cudaStream_t>> streams(origins_.size());
    std::vector<Span> spans;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Part& part = parts_[p];
        auto& of_device = streams[static_cast<std::size_t>(part.device)];
        auto found = std::find(of_device.begin(), of_device.end(), part.stream);
        if (found == of_device.end()) found = of_device.insert(found, part.stream);
        const Event& origin = origins_[static_cast<std::size_t>(part.device)];
        constexpr const char* kSteps[] = {"copy in", "filter", "copy out"};
        for (std::size_t step = 0; step < std::size(kSteps); ++step)
            spans.push_back({part.device, static_cast<int>(found - of_device.begin()),
                             static_cast<int>(p), kSteps[step],
                             ms_between(origin, part.events[step]),
                             ms_between(origin, part.events[step + 1])});
    }
    double first = spans.empty() ? 0 : spans.front().start_ms;
    for (const Span& span : spans) first = std::min(first, span.start_ms);
    for (Span& span : spans) {
        span.start_ms -= first;
        span.end_ms -= first;
    }
    return spans;
}

}  // namespace convolab::async_streams
