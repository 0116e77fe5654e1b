// SPDX-License-Identifier: MIT
// Events are points in streams. They record no time.
#include <map>

#include "device/base/device.hpp"
#include "device/memory/stream.hpp"
#include "runtime_api.hpp"

namespace cuda_on_cpu {
namespace {

struct Event {
    bool timed = true;
    bool recorded = false;
    int device = 0;  ///< the device whose streams can record it
    Point point;
    std::shared_ptr<Capture> capture;  // the capture in which it was recorded
    std::vector<GraphPoint> after;     // the tasks that come before it
};

std::map<cudaEvent_t, Event>& events() {
    static auto& all = *new std::map<cudaEvent_t, Event>;
    return all;
}

cudaError_t create(cudaEvent_t* handle, unsigned flags) {
    static std::uintptr_t next = 0x100000;
    if (handle == nullptr || flags > 7) return cudaErrorInvalidValue;
    next += 16;
    *handle = reinterpret_cast<cudaEvent_t>(next);
    events()[*handle].timed = (flags & cudaEventDisableTiming) == 0;
    events()[*handle].device = current_device();
    return cudaSuccess;
}

/// Calls body(event) if the handle is valid.
template <class Body>
cudaError_t with(cudaEvent_t handle, Body body) {
    return api([&] {
        const auto found = events().find(handle);
        return found == events().end() ? cudaErrorInvalidResourceHandle : body(found->second);
    });
}

cudaError_t wait(Event& event) {
    if (event.capture != nullptr) return cudaErrorCapturedEvent;
    return event.recorded ? run_until(event.point) : cudaSuccess;
}

}  // namespace
}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return api([&] { return create(event, cudaEventDefault); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return api([&] { return create(event, flags); });
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return api(
        [&] { return events().erase(handle) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
    return with(handle, [&](Event& event) {
        const auto stream = find_stream(stream_handle);
        if (stream == nullptr || stream->device != event.device)
            return cudaErrorInvalidResourceHandle;
        event.recorded = true;
        event.capture = stream->capture;
        if (event.capture != nullptr) {
            const Capture::Branch& branch = event.capture->branch_of(*stream);
            event.after = branch.waits;
            event.after.push_back({stream->branch, branch.tasks.size()});
            return cudaSuccess;
        }
        // The empty task makes the event also wait for whatever its stream waits for.
        const cudaError_t error = enqueue(stream_handle, [] { return cudaSuccess; });
        std::map<unsigned, std::uint64_t> lost = std::move(event.point.lost);
        if (event.point.stream != nullptr) lost[event.point.stream->number] = event.point.count;
        lost.erase(stream->number);
        event.point = {stream, stream->issued, stream->turn, std::move(lost)};
        return error;
    });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle,
                                     unsigned flags) {
    if (flags == cudaEventRecordDefault) return cudaEventRecord(handle, stream_handle);
    return with(handle, [&](Event& event) {
        const auto stream = find_stream(stream_handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (flags != cudaEventRecordExternal || stream->capture == nullptr)
            return cudaErrorInvalidValue;
        event.recorded = false;
        event.capture = nullptr;
        return enqueue(stream_handle, [handle, stream] {
            const auto found = events().find(handle);
            if (found == events().end()) return cudaErrorInvalidResourceHandle;
            found->second.recorded = true;
            found->second.point = {stream, stream->done};
            return cudaSuccess;
        });
    });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return with(event, wait); }
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return with(event, [](Event& asked) {
        const bool runs = asked.capture == nullptr && asked.recorded && is_not_ready(asked.point);
        return runs ? cudaErrorNotReady : wait(asked);
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    return with(start, [&](Event& first) {
        const auto second = events().find(stop);
        if (milliseconds == nullptr) return cudaErrorInvalidValue;
        if (second == events().end() || !first.timed || !second->second.timed || !first.recorded ||
            !second->second.recorded || first.device != second->second.device)
            return cudaErrorInvalidResourceHandle;
        for (const Event* event : {&first, &second->second})
            if (event->capture != nullptr || event->point.stream->done < event->point.count)
                return cudaErrorNotReady;
        *milliseconds = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle, unsigned) {
    return with(handle, [&](Event& event) {
        const auto stream = find_stream(stream_handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (!event.recorded) return cudaSuccess;
        if (event.capture != nullptr) {  // the stream joins the capture, or waits in it
            if (event.capture->ended) return cudaErrorCapturedEvent;
            if (stream->capture == nullptr) event.capture->add(stream);
            if (stream->capture != event.capture) {
                stream->capture->valid = event.capture->valid = false;
                return cudaErrorStreamCaptureMerge;
            }
            event.capture->branch_of(*stream).wait_for(event.after);
            return cudaSuccess;
        }
        if (stream->capture != nullptr) {
            stream->capture->valid = false;
            return cudaErrorStreamCaptureIsolation;
        }
        stream->waits.push_back(event.point);
        return cudaSuccess;
    });
}
