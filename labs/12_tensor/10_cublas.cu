// SPDX-License-Identifier: MIT
// cublas -- the matrix of all windows, multiplied by NVIDIA's library
// Source: new; cazzola2024 names convolution as GEMM (section III) and would try it next (section
//     VI).
// Idea: a convolution is a product of matrices, so NVIDIA's library for such products can compute
//     it: the windows, a row for each output sample, times one column of taps. cuBLAS takes signed
//     bytes, so a sample is stored as x - 128, and each sum lacks 128 times the sum of the taps.
// Since im2col: the bytes of a window lie together, and sums are written and read again.
// Limit: unknown, because it was not profiled. Tensor cores are fast with large matrices, but the
//     taps are a single column.
// Alone: build/labs/12_tensor/lab bench --variant cublas --filter edge --ksize 3,5,9 --size 1080p
#include "labs/12_tensor/parts/padded_rows.hpp"
#include "labs/12_tensor/parts/window_bands.hpp"
#include "labs/12_tensor/variants.hpp"
#ifdef CONVOLAB_CUBLAS
#include <cublas_v2.h>
#endif

namespace convolab::tensor_cores {

#ifdef CONVOLAB_CUBLAS
// For bytes, cuBLAS needs multiples of 4 for the rows and columns of the windows and for addresses
// (see its description of cublasLtMatmul: IMMA kernels). Multiples of 16 are faster. The taps may
// be one column.
constexpr int kMultiple = 16;
constexpr int kThreads = 256;
constexpr std::int64_t kWorkspace = 32 << 20;  // of cuBLAS, on compute capability 9.0

static int window_bytes(const Filter& filter) {
    return static_cast<int>(round_up(filter.ksize() * filter.ksize(), kMultiple));
}

/// One thread writes one word, four bytes of a window. A window ends with bytes that no tap uses,
/// and a band ends with windows that no sample needs.
static __global__ void write_words(PaddedRows image, unsigned* d_words, std::int64_t count,
                                   int per_window, int first_row, int K, int channels) {
    const std::int64_t word = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (word >= count) return;
    const int sample = static_cast<int>(word / per_window);
    const int tap = static_cast<int>(word % per_window) * 4;
    const int y = first_row + sample / image.out_bytes, x = sample % image.out_bytes;
    // Flipping the upper bit subtracts 128: signed bytes.
    d_words[word] = window_word(image, x, y, tap, K, channels) ^ 0x80808080;
}

static __global__ void divide(PaddedRows image, const int* d_sums, int samples, int first_row) {
    const int sample = blockIdx.x * kThreads + threadIdx.x;
    if (sample >= samples) return;
    image.out_row(first_row + sample / image.out_bytes)[sample % image.out_bytes] =
        static_cast<std::uint8_t>(image.division.byte(image.start + d_sums[sample]));
}

static void check_cublas(cublasStatus_t status, const std::string& call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const std::string sentence = call + " failed: " + cublasGetStatusString(status);
    if (status == CUBLAS_STATUS_ALLOC_FAILED)
        throw Skipped(sentence + ": use a smaller image, or a GPU with more memory.");
    throw Error(sentence + ".");
}

static void setup(PaddedConvolver& v) {
    const int K = v.job.filter.ksize(), C = v.job.image().channels();
    const int bytes = window_bytes(v.job.filter), rows = band_rows(v.job, bytes);
    PaddedRows image = v.rows();
    std::vector<std::int8_t> taps(bytes);
    for (int tap = 0; tap < K * K; ++tap) {
        taps[tap] = v.matrix.weight(0, 0, tap / K, tap % K * C);
        image.start += 128 * taps[tap];
    }
    const std::int8_t* d_taps = v.on_device(taps);
    const auto most = round_up(band_samples(v.job, bytes), kMultiple);
    const auto d_words = std::make_shared<DeviceBuffer<unsigned>>(most * bytes / 4);
    const auto d_sums = std::make_shared<DeviceBuffer<int>>(most);
    cublasHandle_t handle = nullptr;
    check_cublas(cublasCreate(&handle), "cublasCreate");
    const std::shared_ptr<cublasContext> blas(handle, cublasDestroy);

    v.prepare(write_words, {blocks_for(most * bytes / 4, kThreads), kThreads});
    v.set_launch([=] {
        for (int first = 0; first < image.out_rows; first += rows) {
            const int samples = std::min(rows, image.out_rows - first) * image.out_bytes;
            const int windows = static_cast<int>(round_up(samples, kMultiple));
            const std::int64_t words = std::int64_t{windows} * (bytes / 4);
            write_words<<<blocks_for(words, kThreads), kThreads>>>(image, d_words->data(), words,
                                                                   bytes / 4, first, K, C);
            // BLAS stores matrices by columns. So the windows, which are `bytes` apart, are the
            // columns of a matrix that it must transpose (OP_T): windows x bytes, times bytes x 1.
            const int one = 1, zero = 0;  // sums = one * product + zero * sums
            check_cublas(cublasGemmEx(blas.get(), CUBLAS_OP_T, CUBLAS_OP_N, windows, 1, bytes, &one,
                                      d_words->data(), CUDA_R_8I, bytes, d_taps, CUDA_R_8I, bytes,
                                      &zero, d_sums->data(), CUDA_R_32I, windows,
                                      CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
                         "cublasGemmEx");
            divide<<<blocks_for(samples, kThreads), kThreads>>>(image, d_sums->data(), samples,
                                                                first);
        }
    });
}

static MemoryNeed memory(const Job& job) {
    const int bytes = window_bytes(job.filter);
    MemoryNeed need = PaddedConvolver::memory(job);
    need.device += kWorkspace + (bytes + 4) * (band_samples(job, bytes) + kMultiple);
    return need;
}
#else
static void setup(PaddedConvolver&) {
    throw MissingLibrary(
        "This program was built without cuBLAS, a part of NVIDIA's CUDA toolkit: it needs nvcc, a "
        "GPU and the toolkit's cublas_v2.h.");
}
static MemoryNeed memory(const Job& job) { return PaddedConvolver::memory(job); }
#endif

const Variant cublas = [] {
    Variant variant = padded_rows_variant(
        "cublas", "the matrix of all windows, multiplied by cuBLAS", {3, 1, 4}, setup);
    variant.memory = memory;
    return variant;
}();

}  // namespace convolab::tensor_cores
