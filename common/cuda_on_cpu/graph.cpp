// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// CUDA graphs by stream capture. A graph is its work in the order in which it was issued: one of
// the orders that CUDA may choose.
#include <map>

#include "device.hpp"
#include "runtime_api.hpp"
#include "stream.hpp"

namespace cuda_on_cpu {
namespace {

using Works = std::shared_ptr<const std::vector<Work>>;

template <class Handle>
struct Handles {
    std::map<Handle, Works> works;
    std::uintptr_t next = 0x200000;

    void add(Handle* handle, Works value) {
        next += 16;
        *handle = reinterpret_cast<Handle>(next);
        works[*handle] = std::move(value);
    }
    Works find(Handle handle) const {
        const auto found = works.find(handle);
        return found == works.end() ? nullptr : found->second;
    }
};
auto& graphs = *new Handles<cudaGraph_t>;
auto& executables = *new Handles<cudaGraphExec_t>;

cudaError_t end_capture(const std::shared_ptr<Stream>& stream, cudaGraph_t* graph) {
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (graph == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    const auto capture = stream->capture;
    if (capture == nullptr) return cudaErrorIllegalState;
    if (capture->streams.front() != stream) return cudaErrorStreamCaptureUnmatched;
    bool joined = true;
    for (const auto& member : capture->streams) {
        joined = joined && member->joined;
        member->joined = true;
        member->capture = nullptr;
    }
    if (!capture->valid) return cudaErrorStreamCaptureInvalidated;
    if (!joined) return cudaErrorStreamCaptureUnjoined;
    graphs.add(graph, std::make_shared<const std::vector<Work>>(std::move(capture->works)));
    return cudaSuccess;
}

}  // namespace
}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
    return api([&] {
        const auto stream = find_stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (handle == nullptr || handle == cudaStreamLegacy)
            return cudaErrorStreamCaptureUnsupported;
        if (stream->capture != nullptr) return cudaErrorIllegalState;
        stream->capture = std::make_shared<Capture>();
        stream->capture->streams.push_back(stream);
        return cudaSuccess;
    });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return api([&] { return end_capture(find_stream(stream), graph); });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return api([&] {
        const auto stream = find_stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (status == nullptr) return cudaErrorInvalidValue;
        *status = stream->capture == nullptr ? cudaStreamCaptureStatusNone
                  : stream->capture->valid   ? cudaStreamCaptureStatusActive
                                             : cudaStreamCaptureStatusInvalidated;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    return api([&] {
        const Works works = graphs.find(graph);
        if (exec == nullptr || works == nullptr) return cudaErrorInvalidValue;
        executables.add(exec, works);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    return api([&] {
        const Works works = executables.find(exec);
        if (works == nullptr) return cudaErrorInvalidValue;
        return enqueue(stream, [works] {
            for (const Work& work : *works) {
                const cudaError_t error = work();
                if (error != cudaSuccess) return error;
            }
            return cudaSuccess;
        });
    });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
    return api(
        [&] { return executables.find(exec) == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return api(
        [&] { return graphs.works.erase(graph) == 1 ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return api(
        [&] { return executables.works.erase(exec) == 1 ? cudaSuccess : cudaErrorInvalidValue; });
}
