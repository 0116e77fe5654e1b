// SPDX-License-Identifier: MIT
// A program's calls about the device: the number of devices, their properties, synchronising,
// reset.
#include <cstring>

#include "device/base/device.hpp"
#include "device/base/settings.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/shared_memory.hpp"
#include "device/memory/stream.hpp"
#include "device/threads/fibre.hpp"
#include "runtime_api.hpp"

namespace cuda_on_cpu {
namespace {

int attribute_value(cudaDeviceAttr attribute, bool& known) {
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY:
            return 1024;
        case cudaDevAttrMaxBlockDimZ:
            return 64;
        case cudaDevAttrMaxPitch:
        case cudaDevAttrMaxGridDimX:
            return 2147483647;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            return 65535;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return static_cast<int>(default_shared_bytes);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return static_cast<int>(largest_shared_bytes);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return static_cast<int>(largest_shared_bytes) + 1024;
        case cudaDevAttrMaxRegistersPerBlock:
        case cudaDevAttrTotalConstantMemory:
            return 65536;
        case cudaDevAttrWarpSize:
            return 32;
        case cudaDevAttrMultiProcessorCount:
            return processors;
        case cudaDevAttrL2CacheSize:
            return 1 << 20;
        case cudaDevAttrMaxPersistingL2CacheSize:
            return 3 << 18;
        case cudaDevAttrMaxAccessPolicyWindowSize:
            return 128 << 20;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return largest_threads_per_processor;
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            return largest_blocks_per_processor;
        case cudaDevAttrComputeCapabilityMajor:
            return 9;
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMemoryPoolsSupported:
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrAsyncEngineCount:
            return 1;
        case cudaDevAttrComputeCapabilityMinor:
        case cudaDevAttrIntegrated:
        case cudaDevAttrEccEnabled:
        case cudaDevAttrComputeMode:
        case cudaDevAttrKernelExecTimeout:
        case cudaDevAttrPageableMemoryAccess:
        case cudaDevAttrClockRate:  // in kHz; 0, because there is no clock and no memory bus
        case cudaDevAttrMemoryClockRate:
        case cudaDevAttrGlobalMemoryBusWidth:
            return 0;
    }
    known = false;
    return 0;
}

bool is_device(int number) { return number >= 0 && number < device_count(); }

bool can_access(int number, int peer) {
    return number != peer && setting("CUDA_ON_CPU_PEER_ACCESS", 1, 0, 1) == 1;
}

char pools[max_devices];  // the address of each is that device's default memory pool

}  // namespace
}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaGetDeviceCount(int* count) {
    if (count != nullptr) *count = device_count();
    return api([&] { return count == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
cudaError_t cudaSetDevice(int number) {
    return api([&] {
        if (!is_device(number)) return cudaErrorInvalidDevice;
        host_thread().device = number;
        return cudaSuccess;
    });
}
cudaError_t cudaGetDevice(int* number) {
    return api([&] {
        if (number == nullptr) return cudaErrorInvalidValue;
        *number = current_device();
        return cudaSuccess;
    });
}
cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp* wanted) {
    return api([&] {
        if (number == nullptr || wanted == nullptr) return cudaErrorInvalidValue;
        *number = 0;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return api([&] {
        if (config == nullptr) return cudaErrorInvalidValue;
        *config = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
    });
}
cudaError_t cudaDriverGetVersion(int* version) {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaSetDeviceFlags(unsigned) {
    return api([] { return cudaSuccess; });
}
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int number, int peer) {
    return api([&] {
        if (can == nullptr) return cudaErrorInvalidValue;
        *can = 0;
        if (!is_device(number) || !is_device(peer)) return cudaErrorInvalidDevice;
        *can = can_access(number, peer) ? 1 : 0;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int number,
                                      int peer) {
    return api([&] {
        if (value == nullptr || attribute < cudaDevP2PAttrPerformanceRank ||
            attribute > cudaDevP2PAttrCudaArrayAccessSupported)
            return cudaErrorInvalidValue;
        if (!is_device(number) || !is_device(peer) || number == peer) return cudaErrorInvalidDevice;
        *value = attribute != cudaDevP2PAttrPerformanceRank && can_access(number, peer) ? 1 : 0;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return api([&] {
        if (flags != 0) return cudaErrorInvalidValue;
        const int current = current_device();
        if (!is_device(peer) || peer == current) return cudaErrorInvalidDevice;
        if (!can_access(current, peer)) return cudaErrorPeerAccessUnsupported;
        if (uses_memory_of(current, peer)) return cudaErrorPeerAccessAlreadyEnabled;
        device().peers[static_cast<std::size_t>(current)].set(static_cast<std::size_t>(peer));
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return api([&] {
        const int current = current_device();
        if (!is_device(peer)) return cudaErrorInvalidDevice;
        auto& peers = device().peers[static_cast<std::size_t>(current)];
        if (!peers[static_cast<std::size_t>(peer)]) return cudaErrorPeerAccessNotEnabled;
        const cudaError_t error = run_all_streams();
        peers.reset(static_cast<std::size_t>(peer));
        return error;
    });
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int number) {
    return api([&] {
        if (pool == nullptr) return cudaErrorInvalidValue;
        if (!is_device(number)) return cudaErrorInvalidDevice;
        *pool = reinterpret_cast<cudaMemPool_t>(&pools[number]);
        return cudaSuccess;
    });
}
// This opens all memory of the pool's device, not only the pool's.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* all,
                                 std::size_t count) {
    return api([&] {
        const int owner = static_cast<int>(reinterpret_cast<char*>(pool) - pools);
        if (all == nullptr || !is_device(owner)) return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < count; ++i) {
            const int number = all[i].location.id;
            const bool opens = all[i].flags != cudaMemAccessFlagsProtNone;
            if (all[i].location.type != cudaMemLocationTypeDevice || !is_device(number) ||
                (number == owner && !opens))
                return cudaErrorInvalidValue;
            if (number != owner && !can_access(number, owner)) return cudaErrorInvalidDevice;
            device().peers[static_cast<std::size_t>(number)].set(static_cast<std::size_t>(owner),
                                                                 opens);
        }
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t) {
    return api([&] {
        const bool is_known = (limit >= cudaLimitStackSize && limit <= cudaLimitMallocHeapSize) ||
                              limit == cudaLimitMaxL2FetchGranularity ||
                              limit == cudaLimitPersistingL2CacheSize;
        return is_known ? cudaSuccess : cudaErrorUnsupportedLimit;
    });
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    return api([&] {
        if (value == nullptr) return cudaErrorInvalidValue;
        *value = limit == cudaLimitStackSize ? local_memory_bytes() : std::size_t{8} << 20;
        return cudaDeviceSetLimit(limit, 0);
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
    return api([&] {
        if (!is_device(number)) return cudaErrorInvalidDevice;
        bool known = value != nullptr;
        const int result = attribute_value(attribute, known);
        if (!known) return cudaErrorInvalidValue;
        *value = result;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int number) {
    return api([&] {
        if (p == nullptr) return cudaErrorInvalidValue;
        if (!is_device(number)) return cudaErrorInvalidDevice;
        bool known = true;
        const auto value = [&](cudaDeviceAttr attribute) {
            return attribute_value(attribute, known);
        };
        *p = cudaDeviceProp{};
        std::strcpy(p->name, "CUDA on the CPU");
        p->totalGlobalMem = total_memory_bytes();
        p->sharedMemPerBlock = default_shared_bytes;
        p->sharedMemPerBlockOptin = largest_shared_bytes;
        p->sharedMemPerMultiprocessor = largest_shared_bytes + 1024;
        p->totalConstMem = 65536;
        p->regsPerBlock = p->regsPerMultiprocessor = 65536;
        p->warpSize = 32;
        p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
        p->maxThreadsDim[2] = 64;
        p->maxGridSize[0] = value(cudaDevAttrMaxGridDimX);
        p->maxGridSize[1] = p->maxGridSize[2] = value(cudaDevAttrMaxGridDimY);
        p->major = value(cudaDevAttrComputeCapabilityMajor);
        p->multiProcessorCount = processors;
        p->canMapHostMemory = p->concurrentKernels = p->asyncEngineCount = 1;
        p->unifiedAddressing = p->managedMemory = p->deviceOverlap = 1;
        p->cooperativeLaunch = p->concurrentManagedAccess = 1;
        p->memPitch = 2147483647;
        p->textureAlignment = p->surfaceAlignment = 512;
        p->texturePitchAlignment = 32;
        p->maxTexture1D = p->maxTexture2D[0] = p->maxTexture2D[1] = 65536;
        p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
        p->maxTexture1DLayered[0] = p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = 32768;
        p->maxTexture1DLayered[1] = p->maxTexture2DLayered[2] = 2048;
        p->l2CacheSize = value(cudaDevAttrL2CacheSize);
        p->persistingL2CacheMaxSize = value(cudaDevAttrMaxPersistingL2CacheSize);
        p->accessPolicyMaxWindowSize = value(cudaDevAttrMaxAccessPolicyWindowSize);
        p->streamPrioritiesSupported = 1;
        p->maxThreadsPerMultiProcessor = largest_threads_per_processor;
        p->maxBlocksPerMultiProcessor = largest_blocks_per_processor;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int number) {
    return api([&] {
        if (id == nullptr || length < 13) return cudaErrorInvalidValue;
        if (!is_device(number)) return cudaErrorInvalidDevice;
        std::strcpy(id, "0000:00:00.0");  // it is on no bus
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSynchronize() {
    return api([] { return run_streams_of(current_device()); });
}

cudaError_t cudaDeviceReset() {
    Device& d = device();
    const std::lock_guard lock(d.mutex);
    if (d.broken == cudaSuccess) run_all_streams();
    drop_all_streams();
    free_all_memory();
    d.broken = cudaSuccess;
    host_thread() = {};
    d.peers = {};
    return cudaSuccess;
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
