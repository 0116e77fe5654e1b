// SPDX-License-Identifier: MIT
// cuBLAS' gemm as a kernel with a block for each column of C, which has a single thread: the loops
// are plain ones, and each element of A and B is read from the device's memory once.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "device/base/device.hpp"
#include "device/base/report.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/stream.hpp"
#include "gemm.hpp"
#include "keywords.hpp"

struct cublasContext {
    cudaStream_t stream;
};

namespace cuda_on_cpu {
namespace {

auto& handles = *new std::set<cublasHandle_t>;

bool is_handle(cublasHandle_t handle) {
    const std::lock_guard lock(device().mutex);
    return handles.count(handle) == 1;
}

struct Product {
    GemmShape shape;
    double alpha, beta;
    GemmMatrix a, b, c;
    GemmAccess access;
};

template <class Sum>
class GemmKernel final : public KernelCall {
  public:
    explicit GemmKernel(const Product& product) : p_(product) {
        if (p_.alpha == 0) p_.shape.k = 0;
        a_.resize(std::size_t(p_.shape.m) * std::size_t(p_.shape.k));
        sums_.resize(std::size_t(p_.shape.m));
    }
    void run_threads() const override {
        do {
            // A graph may run it again: by then A may have other values.
            if (columns_++ % p_.shape.n == 0) read_a();
            run_column(blockIdx.x);
        } while (start_next_thread());
    }

  private:
    double load(const GemmMatrix& matrix, std::size_t row, std::size_t column) const {
        return p_.access.load(matrix.first, matrix.type, column * matrix.leading + row);
    }
    void read_a() const {
        const std::size_t m = p_.shape.m, k = p_.shape.k;
        const bool swaps = p_.shape.of_a != CUBLAS_OP_N;
        for (std::size_t j = 0; j < k; ++j)
            for (std::size_t i = 0; i < m; ++i)
                a_[j * m + i] = static_cast<Sum>(swaps ? load(p_.a, j, i) : load(p_.a, i, j));
    }
    void run_column(std::size_t column) const {
        const std::size_t m = p_.shape.m, k = p_.shape.k;
        const bool swaps = p_.shape.of_b != CUBLAS_OP_N;
        std::fill(sums_.begin(), sums_.end(), Sum{0});
        for (std::size_t j = 0; j < k; ++j) {
            const auto b = static_cast<Sum>(swaps ? load(p_.b, column, j) : load(p_.b, j, column));
            const Sum* const a = &a_[j * m];
            Sum* const sums = sums_.data();
            for (std::size_t i = 0; i < m; ++i) sums[i] += a[i] * b;
        }
        for (std::size_t i = 0; i < m; ++i) {
            double value = p_.alpha * double{sums_[i]};
            if (p_.beta != 0) value += p_.beta * load(p_.c, i, column);
            p_.access.store(const_cast<void*>(p_.c.first), p_.c.type, column * p_.c.leading + i,
                            value);
        }
    }

    Product p_;
    mutable std::uint64_t columns_ = 0;
    mutable std::vector<Sum> a_;  // op(A), by columns without gaps
    mutable std::vector<Sum> sums_;
};

std::size_t bytes_of(cudaDataType type) {
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}

bool are_supported(cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType scale) {
    if (a != b) return false;
    if (scale == CUDA_R_16F || scale == CUDA_R_64F) return a == scale && c == scale;
    return scale == CUDA_R_32F && (a == CUDA_R_32F || a == CUDA_R_16F || a == CUDA_R_16BF) &&
           (c == a || c == CUDA_R_32F);
}

// A matrix as it is stored, before op().
struct Stored {
    const char* name;
    GemmMatrix matrix;
    int rows, columns;
};

// "lda is 3, but must be at least 4: A has 4 rows as it is stored"; empty if it fits.
Finding wrong_leading(const Stored& stored) {
    const int least = std::max(1, stored.rows);
    if (stored.matrix.leading >= least) return {};
    return {Kind::gemm_shape, "ld" + std::string(1, static_cast<char>(stored.name[0] + 'a' - 'A')) +
                                  " is " + std::to_string(stored.matrix.leading) +
                                  ", but must be at least " + std::to_string(least) + ": " +
                                  stored.name + " has " + std::to_string(stored.rows) +
                                  " rows as it is stored"};
}

// What a GPU would notice when the kernel uses the memory; empty if it fits.
Finding wrong_memory(const Stored& stored) {
    const std::size_t elements =
        std::size_t(stored.columns - 1) * std::size_t(stored.matrix.leading) +
        std::size_t(stored.rows);
    const std::size_t bytes = elements * bytes_of(stored.matrix.type);
    const std::string name = stored.name;
    if (stored.matrix.first == nullptr) return {Kind::null_pointer, name + " is a null pointer"};
    const Allocation a = find_allocation(stored.matrix.first);
    if (a.type == cudaMemoryTypeUnregistered) {
        if (was_freed(stored.matrix.first))
            return name + " is memory" + where_freed(stored.matrix.first);
        return {Kind::host_memory, name + " is a pointer, but not to device or pinned memory"};
    }
    const std::size_t left = bytes_left(a, stored.matrix.first);
    if (bytes <= left) return {};
    return {Kind::gemm_past_end,
            name + " has " + std::to_string(stored.rows) + " x " + std::to_string(stored.columns) +
                " elements as it is stored, and with its leading dimension of " +
                std::to_string(stored.matrix.leading) + " it takes " + count_text(bytes) +
                ", but there are " + std::to_string(left) + " left of " + describe(a)};
}

cublasStatus_t launch_product(cublasHandle_t handle, const Product& product, bool in_double,
                              const std::vector<Stored>& matrices, const LaunchPlace& place) {
    const cudaError_t error = api([&] {
        std::vector<Address> addresses;
        for (const Stored& stored : matrices) {
            if (const Finding wrong = wrong_memory(stored); !wrong.empty()) {
                report(name_of(place) + ": " + wrong + ".");
                // As a kernel that uses it: in the stream's order.
                return enqueue(handle->stream, [] { return cudaErrorIllegalAddress; });
            }
            addresses.push_back({stored.matrix.first, static_cast<int>(addresses.size()) + 1, -1,
                                 stored.name[0] == 'C', false, stored.name});
        }
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>(product.shape.n));
        config.stream = handle->stream;
        const KernelCall* call = nullptr;
        if (in_double)
            call = new GemmKernel<double>(product);
        else
            call = new GemmKernel<float>(product);
        return launch(config, place.kernel, call, addresses.data(),
                      addresses.data() + addresses.size(), place);
    });
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace

cublasStatus_t gemm(cublasHandle_t handle, const GemmShape& shape, const GemmScale& scale,
                    const GemmMatrix& a, const GemmMatrix& b, const GemmMatrix& c,
                    const GemmAccess& access, const LaunchPlace& place) {
    const auto& [of_a, of_b, m, n, k, count] = shape;
    if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!are_supported(a.type, b.type, c.type, scale.type)) {
        report(Weight::limit,
               name_of(place) +
                   ": of cuBLAS, CUDA on the CPU has products of float, double, half and bfloat16, "
                   "with sums of float, half or double; these types are others.");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    Finding wrong;
    if (m < 0 || n < 0 || k < 0 || count < 0)
        wrong = "m, n, k or the number of products is negative";
    if (scale.alpha == nullptr || scale.beta == nullptr) wrong = "alpha or beta is a null pointer";
    for (const void* const scalar : {scale.alpha, scale.beta})
        if (find_allocation(scalar).type == cudaMemoryTypeDevice)
            wrong = "alpha and beta are pointers to the host's memory, but one is to the device's";
    const Stored stored_c{"C", c, m, n};
    const Stored stored_a = of_a == CUBLAS_OP_N ? Stored{"A", a, m, k} : Stored{"A", a, k, m};
    const Stored stored_b = of_b == CUBLAS_OP_N ? Stored{"B", b, k, n} : Stored{"B", b, n, k};
    for (const Stored& stored : {stored_a, stored_b, stored_c})
        if (wrong.empty()) wrong = wrong_leading(stored);
    if (!wrong.empty()) {
        report(name_of(place) + ": " + wrong + ".");
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const double alpha = access.load(scale.alpha, scale.type, 0);
    const double beta = access.load(scale.beta, scale.type, 0);
    const bool reads = alpha != 0 && k > 0;
    for (int i = 0; i < count; ++i) {
        const auto of_product = [&](GemmMatrix matrix) {
            matrix.first = static_cast<const char*>(matrix.first) +
                           i * matrix.stride * static_cast<long long>(bytes_of(matrix.type));
            return matrix;
        };
        std::vector<Stored> matrices;
        if (reads) matrices = {stored_a, stored_b};
        matrices.push_back(stored_c);
        for (Stored& stored : matrices) stored.matrix = of_product(stored.matrix);
        const Product product{shape,         alpha,         beta,  of_product(a),
                              of_product(b), of_product(c), access};
        const cublasStatus_t status =
            launch_product(handle, product, scale.type == CUDA_R_64F, matrices, place);
        if (status != CUBLAS_STATUS_SUCCESS) return status;
    }
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (api([] { return cudaSuccess; }) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
    const std::lock_guard lock(device().mutex);
    *handle = *handles.insert(new cublasContext{nullptr}).first;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    const std::lock_guard lock(device().mutex);
    handles.erase(handle);
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
    if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (stream == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
    return is_handle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
const char* cublasGetStatusName(cublasStatus_t status) {
#define CUDA_ON_CPU_NAME(name, number, text) \
    if (status == CUBLAS_STATUS_##name) return "CUBLAS_STATUS_" #name;
    CUDA_ON_CPU_CUBLAS_STATUS(CUDA_ON_CPU_NAME)
#undef CUDA_ON_CPU_NAME
    return "unknown status";
}
const char* cublasGetStatusString(cublasStatus_t status) {
#define CUDA_ON_CPU_TEXT(name, number, text) \
    if (status == CUBLAS_STATUS_##name) return text;
    CUDA_ON_CPU_CUBLAS_STATUS(CUDA_ON_CPU_TEXT)
#undef CUDA_ON_CPU_TEXT
    return "unknown status";
}
