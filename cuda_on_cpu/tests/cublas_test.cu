// SPDX-License-Identifier: MIT
// cuBLAS' gemm, against three loops.
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "helpers.hpp"

#ifndef CUBLAS_API_H_
#error "NVIDIA's helper_cuda.h looks for it"
#endif

namespace {

struct Blas {
    cublasHandle_t handle = nullptr;
    Blas() { REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS); }
    ~Blas() { cublasDestroy(handle); }
};

constexpr int m = 5, n = 4, k = 3;
constexpr cublasOperation_t every_operation[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

// Small integers, of which every sum is exact, also in a bfloat16.
template <class T>
std::vector<T> integers(std::size_t count, int first) {
    std::vector<T> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i] = static_cast<T>(static_cast<float>((first + 5 * static_cast<int>(i)) % 7 - 3));
    return all;
}

template <class T>
struct OnDevice {
    DeviceBuffer<T> memory;
    explicit OnDevice(const std::vector<T>& values) : memory(values.size()) {
        memory.upload(values.data());
    }
};

// Calls `gemm` with all transposes and with gaps between the columns; compares C and its gaps.
template <class In, class Out, class Gemm>
void test_products(Gemm gemm) {
    for (const cublasOperation_t of_a : every_operation)
        for (const cublasOperation_t of_b : every_operation)
            for (const float beta : {0.0F, 2.0F}) {
                INFO("transposes " << of_a << " and " << of_b << ", beta " << beta);
                const int lda = (of_a == CUBLAS_OP_N ? m : k) + 2;
                const int ldb = (of_b == CUBLAS_OP_N ? k : n) + 1, ldc = m + 3;
                const auto a = integers<In>(lda * 6, 1), b = integers<In>(ldb * 6, 2);
                auto c = integers<Out>(ldc * n, 3);
                if (beta == 0) c.assign(c.size(), static_cast<Out>(NAN));
                const OnDevice<In> d_a(a), d_b(b);
                OnDevice<Out> d_c(c);
                REQUIRE(gemm(of_a, of_b, -1.0F, d_a.memory.data(), lda, d_b.memory.data(), ldb,
                             beta, d_c.memory.data(), ldc) == CUBLAS_STATUS_SUCCESS);
                std::vector<Out> got(c.size());
                d_c.memory.download(got.data());
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < ldc; ++i) {
                        const auto before = static_cast<float>(c[j * ldc + i]);
                        float sum = 0;
                        for (int p = 0; p < k; ++p)
                            sum += static_cast<float>(
                                       a[of_a == CUBLAS_OP_N ? p * lda + i : i * lda + p]) *
                                   static_cast<float>(
                                       b[of_b == CUBLAS_OP_N ? j * ldb + p : p * ldb + j]);
                        const float right = i >= m ? before : (beta == 0 ? 0 : beta * before) - sum;
                        const auto value = static_cast<float>(got[j * ldc + i]);
                        CHECK((value == right || (std::isnan(value) && std::isnan(right))));
                    }
            }
}

template <class In, class Out>
void test_types(cudaDataType in, cudaDataType out) {
    const Blas blas;
    test_products<In, Out>([&](auto of_a, auto of_b, float alpha, const In* a, int lda, const In* b,
                               int ldb, float beta, Out* c, int ldc) {
        return cublasGemmEx(blas.handle, of_a, of_b, m, n, k, &alpha, a, in, lda, b, in, ldb, &beta,
                            c, out, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    });
}

}  // namespace

TEST_CASE("products of floats, doubles and halves, with all transposes") {
    const Blas blas;
    test_products<float, float>([&](auto of_a, auto of_b, float alpha, const float* a, int lda,
                                    const float* b, int ldb, float beta, float* c, int ldc) {
        return cublasSgemm(blas.handle, of_a, of_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
    });
    test_products<double, double>([&](auto of_a, auto of_b, double alpha, const double* a, int lda,
                                      const double* b, int ldb, double beta, double* c, int ldc) {
        return cublasDgemm(blas.handle, of_a, of_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
    });
    test_products<half, half>([&](auto of_a, auto of_b, half alpha, const half* a, int lda,
                                  const half* b, int ldb, half beta, half* c, int ldc) {
        return cublasHgemm(blas.handle, of_a, of_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
    });
    test_types<float, float>(CUDA_R_32F, CUDA_R_32F);
    test_types<half, half>(CUDA_R_16F, CUDA_R_16F);
    test_types<half, float>(CUDA_R_16F, CUDA_R_32F);
    test_types<nv_bfloat16, nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF);
    test_types<nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F);
}

TEST_CASE("a product waits in its stream, like a kernel, and several are those of one") {
    const Blas blas;
    const Stream stream;
    REQUIRE(cublasSetStream(blas.handle, stream.get()) == CUBLAS_STATUS_SUCCESS);
    cudaStream_t got = nullptr;
    CHECK(cublasGetStream(blas.handle, &got) == CUBLAS_STATUS_SUCCESS);
    CHECK(got == stream.get());
    CHECK(cublasSetMathMode(blas.handle, CUBLAS_TF32_TENSOR_OP_MATH) == CUBLAS_STATUS_SUCCESS);
    PinnedBuffer<float> a(8), c(8);
    for (int i = 0; i < 8; ++i) a[i] = static_cast<float>(i), c[i] = -1;
    const float one = 1, zero = 0;
    REQUIRE(cublasSgemmStridedBatched(blas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,
                                      a.data(), 2, 4, a.data(), 2, 0, &zero, c.data(), 2, 4,
                                      2) == CUBLAS_STATUS_SUCCESS);
    CHECK(c[0] == -1);
    stream.wait();
    CHECK(std::vector<float>(c.data(), c.data() + 8) ==
          std::vector<float>{2, 3, 6, 11, 6, 7, 26, 31});
}

TEST_CASE("a captured product reads its matrices anew at each launch") {
    const Blas blas;
    const Stream stream;
    cublasSetStream(blas.handle, stream.get());
    PinnedBuffer<float> a(1), c(1);
    a[0] = 2, c[0] = 0;
    const float one = 1;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cublasSgemm(blas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a.data(), 1, a.data(),
                      1, &one, c.data(), 1) == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
    cudaGraphLaunch(exec, stream.get());
    stream.wait();
    a[0] = 3;
    cudaGraphLaunch(exec, stream.get());
    stream.wait();
    CHECK(c[0] == 13);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

TEST_CASE("what cuBLAS refuses, and memory that does not fit") {
    const FreshDevice fresh;
    const float one = 1, zero = 0;
    DeviceBuffer<float> d_a(4), d_c(4);
    float host[4] = {};
    CHECK(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d_a.data(), 2, d_a.data(),
                      2, &zero, d_c.data(), 2) == CUBLAS_STATUS_NOT_INITIALIZED);
    const Blas blas;
    const auto multiply = [&](int m, int lda, const float* a, float* c) {
        return cublasSgemm(blas.handle, CUBLAS_OP_T, CUBLAS_OP_N, m, 2, 2, &one, a, lda, d_a.data(),
                           2, &zero, c, std::max(m, 1));
    };
    CHECK(multiply(2, 1, d_a.data(), d_c.data()) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(is_told(cuda_on_cpu::Kind::gemm_shape, "is at least the number of its rows"));
    CHECK(contains(cuda_on_cpu::last_report(),
                   "lda is 1, but must be at least 2: A has 2 rows as it is stored."));
    CHECK(multiply(-1, 2, d_a.data(), d_c.data()) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgemm(blas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, d_a.data(), d_a.data(), 2,
                      d_a.data(), 2, &zero, d_c.data(), 2) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(contains(cuda_on_cpu::last_report(), "to the host's memory, but one is to the device's"));
    CHECK(multiply(0, 2, nullptr, nullptr) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasGemmEx(blas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d_a.data(), CUDA_R_8I,
                       2, d_a.data(), CUDA_R_8I, 2, &zero, d_c.data(), CUDA_R_32I, 2,
                       CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(std::string(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED)) ==
          "CUBLAS_STATUS_NOT_SUPPORTED");

    const auto fails_with = [&](const std::string& words) {
        CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
        CHECK(contains(cuda_on_cpu::last_report(), "kernel cublasSgemm, launched at "));
        CHECK(contains(cuda_on_cpu::last_report(), words));
    };
    SECTION("A is too small") {
        CHECK(multiply(3, 2, d_a.data(), d_c.data()) == CUBLAS_STATUS_SUCCESS);
        CHECK(cuda_on_cpu::last_finding().kind == cuda_on_cpu::Kind::gemm_past_end);
        fails_with(
            "A has 2 x 3 elements as it is stored, and with its leading dimension of 2 it takes 24 "
            "bytes, but there are 16 left of device memory of 16 bytes.");
    }
    SECTION("A is the host's") {
        CHECK(multiply(2, 2, host, d_c.data()) == CUBLAS_STATUS_SUCCESS);
        fails_with("A is a pointer, but not to device or pinned memory.");
    }
    SECTION("C is null") {
        CHECK(multiply(2, 2, d_a.data(), nullptr) == CUBLAS_STATUS_SUCCESS);
        fails_with("C is a null pointer.");
    }
}
