// SPDX-License-Identifier: MIT
// CUDA's functions for streams. Those for events and graphs are beside it.
#include "device/base/device.hpp"
#include "device/memory/stream.hpp"
#include "runtime_api.hpp"

using namespace cuda_on_cpu;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return api([&] { return create_stream(stream, cudaStreamDefault); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return api([&] { return create_stream(stream, flags); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return api([&] { return create_stream(stream, flags); });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return api([&] {
        if (least != nullptr) *least = 0;
        if (greatest != nullptr) *greatest = -5;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
    return api([&] {
        if (find_stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
        const bool is_known = attribute == cudaStreamAttributeAccessPolicyWindow ||
                              attribute == cudaStreamAttributePriority;
        return value != nullptr && is_known ? cudaSuccess : cudaErrorInvalidValue;
    });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return api([&] { return destroy_stream(stream); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return api([&] { return run_stream(stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return api([&] {
        const auto stream = find_stream(handle);
        const bool runs = stream != nullptr && stream->capture == nullptr &&
                          is_not_ready({stream, stream->issued});
        return runs ? cudaErrorNotReady : run_stream(handle);
    });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
    return api([&] {
        if (function == nullptr || flags != 0) return cudaErrorInvalidValue;
        const cudaError_t error = enqueue(stream, [=] {
            function(stream, cudaSuccess, data);
            return cudaSuccess;
        });
        // The host may wait for it without calling CUDA.
        return error == cudaSuccess ? run_stream(stream) : error;
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return api([&] {
        if (function == nullptr) return cudaErrorInvalidValue;
        return enqueue(stream, [=] {
            function(data);
            return cudaSuccess;
        });
    });
}
