// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/cuda/on_device.hpp"
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

void Timeline::begin(const StepName& name) {
    const OnDevice here(name.device);
    steps_.push_back({name, Event(), Event()});
    record(steps_.back().begin, name.stream);
}

void Timeline::end() {
    const OnDevice here(steps_.back().name.device);
    record(steps_.back().end, steps_.back().name.stream);
}

std::vector<Span> Timeline::spans() const {
    for (std::size_t device = 0; device < origins_.size(); ++device) {
        const OnDevice here(static_cast<int>(device));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    std::vector<std::vector<cudaStream_t>> streams(origins_.size());
    std::vector<Span> spans;
    for (const Step& step : steps_) {
        auto& of_device = streams[static_cast<std::size_t>(step.name.device)];
        auto found = std::find(of_device.begin(), of_device.end(), step.name.stream);
        if (found == of_device.end()) found = of_device.insert(found, step.name.stream);
        const Event& origin = origins_[static_cast<std::size_t>(step.name.device)];
        spans.push_back({step.name.device, static_cast<int>(found - of_device.begin()),
                         step.name.part, step.name.what, ms_between(origin, step.begin),
                         ms_between(origin, step.end)});
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
