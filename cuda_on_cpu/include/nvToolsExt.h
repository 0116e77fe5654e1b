// SPDX-License-Identifier: MIT
// NVTX: ranges and marks for the profiler, which there is none of here. All functions do nothing.
#pragma once

#pragma GCC system_header  // parameters that nobody uses

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_COLOR_UNKNOWN 0
#define NVTX_COLOR_ARGB 1
#define NVTX_PAYLOAD_UNKNOWN 0
#define NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 1
#define NVTX_PAYLOAD_TYPE_INT64 2
#define NVTX_PAYLOAD_TYPE_DOUBLE 3
#define NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 4
#define NVTX_PAYLOAD_TYPE_INT32 5
#define NVTX_PAYLOAD_TYPE_FLOAT 6
#define NVTX_MESSAGE_UNKNOWN 0
#define NVTX_MESSAGE_TYPE_ASCII 1
#define NVTX_MESSAGE_TYPE_UNICODE 2
#define NVTX_MESSAGE_TYPE_REGISTERED 3

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration* nvtxStringHandle_t;
typedef union {
    const char* ascii;
    const wchar_t* unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define CUDA_ON_CPU_NVTX static inline

CUDA_ON_CPU_NVTX void nvtxInitialize(const void* reserved) {}
CUDA_ON_CPU_NVTX void nvtxMarkA(const char* message) {}
CUDA_ON_CPU_NVTX void nvtxMarkW(const wchar_t* message) {}
CUDA_ON_CPU_NVTX void nvtxMarkEx(const nvtxEventAttributes_t* event) {}
// The depth of the range; as without a profiler, -2.
CUDA_ON_CPU_NVTX int nvtxRangePushA(const char* message) { return -2; }
CUDA_ON_CPU_NVTX int nvtxRangePushW(const wchar_t* message) { return -2; }
CUDA_ON_CPU_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t* event) { return -2; }
CUDA_ON_CPU_NVTX int nvtxRangePop(void) { return -2; }
CUDA_ON_CPU_NVTX nvtxRangeId_t nvtxRangeStartA(const char* message) { return 0; }
CUDA_ON_CPU_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t* message) { return 0; }
CUDA_ON_CPU_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) { return 0; }
CUDA_ON_CPU_NVTX void nvtxRangeEnd(nvtxRangeId_t range) {}
CUDA_ON_CPU_NVTX void nvtxNameCategoryA(uint32_t category, const char* name) {}
CUDA_ON_CPU_NVTX void nvtxNameOsThreadA(uint32_t thread, const char* name) {}
CUDA_ON_CPU_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char* name) { return NULL; }
CUDA_ON_CPU_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) {}
CUDA_ON_CPU_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain,
                                                              const char* text) {
    return NULL;
}
CUDA_ON_CPU_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain,
                                       const nvtxEventAttributes_t* event) {}
CUDA_ON_CPU_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                           const nvtxEventAttributes_t* event) {
    return -2;
}
CUDA_ON_CPU_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) { return -2; }
CUDA_ON_CPU_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                      const nvtxEventAttributes_t* event) {
    return 0;
}
CUDA_ON_CPU_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {}
#undef CUDA_ON_CPU_NVTX

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
