// SPDX-License-Identifier: MIT
// Of cuBLAS, gemm alone: C = alpha * op(A) * op(B) + beta * C, for matrices of m x n, m x k and k x n
// elements that are stored by columns; a leading dimension counts the elements from one column to
// the next. It runs in the handle's stream, as a kernel. Scalars are the host's. Sums are made in
// the order of k, which is not that of a GPU, so that they may be rounded differently.
#pragma once

#ifndef __cplusplus
#error "CUDA on the CPU has cuBLAS for C++ alone: name the file .cpp or .cu"
#endif

// By these, other headers know that cuBLAS' were included.
#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#include "cuda_fp16.h"
#include "gemm.hpp"

namespace cuda_on_cpu {

#if defined(CUDA_ON_CPU_COUNTED) && !defined(__clang__)
#define CUDA_ON_CPU_UNSEEN __attribute__((no_sanitize_thread, no_sanitize_coverage))
#else
#define CUDA_ON_CPU_UNSEEN
#endif
CUDA_ON_CPU_UNSEEN inline double load_element(const void* matrix, cudaDataType type,
                                              std::size_t i) {
    switch (type) {
        case CUDA_R_16F:
            return half_value(static_cast<const std::uint16_t*>(matrix)[i]);
        case CUDA_R_16BF:
            return bfloat16_value(static_cast<const std::uint16_t*>(matrix)[i]);
        case CUDA_R_32F:
            return static_cast<const float*>(matrix)[i];
        default:
            return static_cast<const double*>(matrix)[i];
    }
}
CUDA_ON_CPU_UNSEEN inline void store_element(void* matrix, cudaDataType type, std::size_t i,
                                             double value) {
    switch (type) {
        case CUDA_R_16F:
            static_cast<std::uint16_t*>(matrix)[i] = half_bits(value);
            break;
        case CUDA_R_16BF:
            static_cast<std::uint16_t*>(matrix)[i] = bfloat16_bits(value);
            break;
        case CUDA_R_32F:
            static_cast<float*>(matrix)[i] = static_cast<float>(value);
            break;
        default:
            static_cast<double*>(matrix)[i] = value;
    }
}
#undef CUDA_ON_CPU_UNSEEN
constexpr GemmAccess gemm_access{load_element, store_element};

/// The type of alpha and beta.
constexpr cudaDataType scale_type(cublasComputeType_t compute) {
    switch (compute) {
        case CUBLAS_COMPUTE_16F:
        case CUBLAS_COMPUTE_16F_PEDANTIC:
            return CUDA_R_16F;
        case CUBLAS_COMPUTE_32I:
        case CUBLAS_COMPUTE_32I_PEDANTIC:
            return CUDA_R_32I;
        case CUBLAS_COMPUTE_64F:
        case CUBLAS_COMPUTE_64F_PEDANTIC:
            return CUDA_R_64F;
        default:
            return CUDA_R_32F;
    }
}

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define CUDA_ON_CPU_GEMM(name, T, type)                                                       \
    inline cublasStatus_t name(cublasHandle_t handle, cublasOperation_t of_a,                 \
                               cublasOperation_t of_b, int m, int n, int k, const T* alpha,   \
                               const T* a, int lda, const T* b, int ldb, const T* beta, T* c, \
                               int ldc, CUDA_ON_CPU_HERE) {                                   \
        return cuda_on_cpu::gemm(handle, {of_a, of_b, m, n, k}, {alpha, beta, type},          \
                                 {a, type, lda}, {b, type, ldb}, {c, type, ldc},              \
                                 cuda_on_cpu::gemm_access, {#name, file, line});              \
    }                                                                                         \
    inline cublasStatus_t name##StridedBatched(                                               \
        cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n,  \
        int k, const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,  \
        long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count,      \
        CUDA_ON_CPU_HERE) {                                                                   \
        return cuda_on_cpu::gemm(handle, {of_a, of_b, m, n, k, count}, {alpha, beta, type},   \
                                 {a, type, lda, stride_a}, {b, type, ldb, stride_b},          \
                                 {c, type, ldc, stride_c}, cuda_on_cpu::gemm_access,          \
                                 {#name "StridedBatched", file, line});                       \
    }
CUDA_ON_CPU_GEMM(cublasSgemm, float, CUDA_R_32F)
CUDA_ON_CPU_GEMM(cublasDgemm, double, CUDA_R_64F)
CUDA_ON_CPU_GEMM(cublasHgemm, __half, CUDA_R_16F)
#undef CUDA_ON_CPU_GEMM

/// The compute type is that of the sums, and of alpha and beta.
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t of_a,
                                   cublasOperation_t of_b, int m, int n, int k, const void* alpha,
                                   const void* a, cudaDataType a_type, int lda, const void* b,
                                   cudaDataType b_type, int ldb, const void* beta, void* c,
                                   cudaDataType c_type, int ldc, cublasComputeType_t compute,
                                   cublasGemmAlgo_t, CUDA_ON_CPU_HERE) {
    return cuda_on_cpu::gemm(handle, {of_a, of_b, m, n, k},
                             {alpha, beta, cuda_on_cpu::scale_type(compute)}, {a, a_type, lda},
                             {b, b_type, ldb}, {c, c_type, ldc}, cuda_on_cpu::gemm_access,
                             {"cublasGemmEx", file, line});
}
/// As older programs call it.
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t of_a,
                                   cublasOperation_t of_b, int m, int n, int k, const void* alpha,
                                   const void* a, cudaDataType a_type, int lda, const void* b,
                                   cudaDataType b_type, int ldb, const void* beta, void* c,
                                   cudaDataType c_type, int ldc, cudaDataType compute,
                                   cublasGemmAlgo_t, CUDA_ON_CPU_HERE) {
    return cuda_on_cpu::gemm(handle, {of_a, of_b, m, n, k}, {alpha, beta, compute},
                             {a, a_type, lda}, {b, b_type, ldb}, {c, c_type, ldc},
                             cuda_on_cpu::gemm_access, {"cublasGemmEx", file, line});
}
#undef CUDA_ON_CPU_HERE
