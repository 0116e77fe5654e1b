// SPDX-License-Identifier: MIT
// The types of cuBLAS' gemm, its handle, and what cublas_v2.h asks of the emulator.
#pragma once

#include <cstddef>

#include "kernel_launch.hpp"
#include "runtime_types.hpp"

typedef struct cublasContext* cublasHandle_t;

// clang-format off
#define CUDA_ON_CPU_CUBLAS_STATUS(X) \
    X(SUCCESS, 0, "success") \
    X(NOT_INITIALIZED, 1, "the library was not initialized") \
    X(ALLOC_FAILED, 3, "the resource allocation failed") \
    X(INVALID_VALUE, 7, "an unsupported value or parameter was passed to the function") \
    X(ARCH_MISMATCH, 8, "the function requires a feature absent from the device architecture") \
    X(MAPPING_ERROR, 11, "an access to GPU memory space failed") \
    X(EXECUTION_FAILED, 13, "the function failed to launch on the GPU") \
    X(INTERNAL_ERROR, 14, "an internal operation failed") \
    X(NOT_SUPPORTED, 15, "the functionality is not supported") \
    X(LICENSE_ERROR, 16, "the license is not valid")
// clang-format on
enum cublasStatus_t {
#define CUDA_ON_CPU_ENUMERATOR(name, number, text) CUBLAS_STATUS_##name = number,
    CUDA_ON_CPU_CUBLAS_STATUS(CUDA_ON_CPU_ENUMERATOR)
#undef CUDA_ON_CPU_ENUMERATOR
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};
enum cublasGemmAlgo_t : int {  // a hint
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
};

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
/// A hint.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

namespace cuda_on_cpu {

struct GemmMatrix {
    const void* first;
    cudaDataType type;
    int leading;
    long long stride = 0;  ///< from one product's matrix to the next one's
};
struct GemmScale {
    const void *alpha, *beta;
    cudaDataType type;
};
struct GemmShape {
    cublasOperation_t of_a, of_b;
    int m, n, k, count = 1;  ///< count: of products
};
/// Each matrix is read and written by these two alone. They are compiled with the program, so that
/// `check` sees them; `count` does not, as a GPU asks for other bytes.
struct GemmAccess {
    double (*load)(const void* matrix, cudaDataType type, std::size_t i);
    void (*store)(void* matrix, cudaDataType type, std::size_t i, double value);
};
/// device/api/cublas.cpp
cublasStatus_t gemm(cublasHandle_t handle, const GemmShape& shape, const GemmScale& scale,
                    const GemmMatrix& a, const GemmMatrix& b, const GemmMatrix& c,
                    const GemmAccess& access, const LaunchPlace& place);

}  // namespace cuda_on_cpu
