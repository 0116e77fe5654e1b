// SPDX-License-Identifier: MIT
// CUDA's error codes that a call here returns or that programs ask for, with CUDA's numbers, names
// and texts. C++ and C.
#pragma once

#ifdef __cplusplus
#define CUDA_ON_CPU_C extern "C"
#define CUDA_ON_CPU_DEFAULT(value) = value
#else
#define CUDA_ON_CPU_C
#define CUDA_ON_CPU_DEFAULT(value)
#endif

// clang-format off
#define CUDA_ON_CPU_ERRORS(X) \
    X(cudaSuccess, 0, "no error") \
    X(cudaErrorInvalidValue, 1, "invalid argument") \
    X(cudaErrorMemoryAllocation, 2, "out of memory") \
    X(cudaErrorInitializationError, 3, "initialization error") \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
    X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
    X(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type") \
    X(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type") \
    X(cudaErrorStubLibrary, 34, "CUDA driver is a stub library") \
    X(cudaErrorInsufficientDriver, 35, \
      "CUDA driver version is insufficient for CUDA runtime version") \
    X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable") \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
    X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid") \
    X(cudaErrorNoKernelImageForDevice, 209, \
      "no kernel image is available for execution on the device") \
    X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture") \
    X(cudaErrorPeerAccessUnsupported, 217, \
      "peer access is not supported between these two devices") \
    X(cudaErrorUnsupportedPtxVersion, 222, \
      "the provided PTX was compiled with an unsupported toolchain.") \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
    X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state") \
    X(cudaErrorNotReady, 600, "device not ready") \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
    X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
    X(cudaErrorAssert, 710, "device-side assert triggered") \
    X(cudaErrorHostMemoryAlreadyRegistered, 712, \
      "part or all of the requested memory range is already mapped") \
    X(cudaErrorHostMemoryNotRegistered, 713, \
      "pointer does not correspond to a registered memory region") \
    X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
    X(cudaErrorMisalignedAddress, 716, "misaligned address") \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
    X(cudaErrorNotSupported, 801, "operation not supported") \
    X(cudaErrorSystemNotReady, 802, "system not yet initialized") \
    X(cudaErrorSystemDriverMismatch, 803, \
      "system has unsupported display driver / cuda driver combination") \
    X(cudaErrorCompatNotSupportedOnDevice, 804, \
      "forward compatibility was attempted on non supported HW") \
    X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
    X(cudaErrorStreamCaptureInvalidated, 901, \
      "operation failed due to a previous error during capture") \
    X(cudaErrorStreamCaptureMerge, 902, \
      "operation would result in a merge of separate capture sequences") \
    X(cudaErrorStreamCaptureUnmatched, 903, \
      "capture was not ended in the same stream as it began") \
    X(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work") \
    X(cudaErrorStreamCaptureIsolation, 905, \
      "dependency created on uncaptured work in another stream") \
    X(cudaErrorStreamCaptureImplicit, 906, \
      "operation would make the legacy stream depend on a capturing blocking stream") \
    X(cudaErrorCapturedEvent, 907, \
      "operation not permitted on an event last recorded in a capturing stream") \
    X(cudaErrorUnknown, 999, "unknown error")
// clang-format on

enum cudaError {
#define CUDA_ON_CPU_ENUMERATOR(name, number, text) name = number,
    CUDA_ON_CPU_ERRORS(CUDA_ON_CPU_ENUMERATOR)
#undef CUDA_ON_CPU_ENUMERATOR
};
typedef enum cudaError cudaError_t;

CUDA_ON_CPU_C const char* cudaGetErrorName(cudaError_t error);
CUDA_ON_CPU_C const char* cudaGetErrorString(cudaError_t error);
/// The last error of any call of this thread; forgotten by Get. (When a kernel has failed, the next
/// call fails again.)
CUDA_ON_CPU_C cudaError_t cudaGetLastError(void);
CUDA_ON_CPU_C cudaError_t cudaPeekAtLastError(void);
