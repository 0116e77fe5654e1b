// SPDX-License-Identifier: MIT
// Lab 12: tensor-core instructions and bulk copies compared with plain loops.
#include <array>
#include <random>
#include <set>

#include "common/cuda/device.hpp"
#include "common/media/pictures.hpp"
#include "labs/12_tensor/parts/bulk_copy.hpp"
#include "labs/12_tensor/parts/tensor_core.hpp"
#include "labs/12_tensor/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"
#ifdef CUDA_ON_CPU
#include "cuda_on_cpu/device/base/report.hpp"
#endif

namespace convolab::defects {
namespace {

#define NEEDS_CAPABILITY(needed) \
    if (device_info().compute_capability < (needed)) SKIP_TEST("the GPU is too old")

struct Operand {
    uint4 a, b;
    unsigned positions;
    int4 c;
};

__global__ void multiply_kernel(const Operand* d_lanes, int4* d_dense, int4* d_sparse) {
    const Operand& mine = d_lanes[threadIdx.x];
    d_dense[threadIdx.x] = multiply(mine.a, make_uint2(mine.b.x, mine.b.y), mine.c);
    d_sparse[threadIdx.x] = multiply_sparse(mine.a, mine.positions, mine.b, mine.c);
}

/// Byte `byte` of word `word` of lane 4 g + t is element (row, k) of a matrix of 16 rows, or of 8.
unsigned byte_of(const uint4& words, int word, int byte) {
    const std::array<unsigned, 4> all = {words.x, words.y, words.z, words.w};
    return all[word] >> (8 * byte) & 255U;
}
int tap(const std::vector<Operand>& lanes, int row, int k) {
    const Operand& lane = lanes[4 * (row % 8) + k % 16 / 4];
    return static_cast<std::int8_t>(byte_of(lane.a, row / 8 + 2 * (k / 16), k % 4));
}
int sample(const std::vector<Operand>& lanes, int k, int column) {
    return static_cast<int>(byte_of(lanes[4 * column + k % 16 / 4].b, k / 16, k % 4));
}
int sum_of(const std::vector<int4>& lanes, int row, int column) {
    const int4& d = lanes[4 * (row % 8) + column / 2];
    return row < 8 ? (column % 2 ? d.y : d.x) : (column % 2 ? d.w : d.z);
}

TEST_CASE("tensor cores: dense and sparse products are those of plain loops") {
    NEEDS_CAPABILITY(kTensorCores);
    std::mt19937 random(5);
    std::vector<Operand> lanes(32);
    std::vector<int4> start(32);
    for (int lane = 0; lane < 32; ++lane) {
        Operand& one = lanes[lane];
        for (unsigned* word :
             {&one.a.x, &one.a.y, &one.a.z, &one.a.w, &one.b.x, &one.b.y, &one.b.z, &one.b.w})
            *word = random();
        if (random() % 4 == 0) one.a.y = 0;
        for (int group = 0; group < 8; ++group) {  // two places, the lower first
            const unsigned low = random() % 3, high = low + 1 + random() % (3 - low);
            one.positions |= (low | high << 2) << (4 * group);
        }
        const auto sum = [&] { return static_cast<int>(random() % 2000000) - 1000000; };
        one.c = start[lane] = make_int4(sum(), sum(), sum(), sum());
    }
    const DeviceBuffer<Operand> d_lanes = on_device(lanes);
    DeviceBuffer<int4> d_dense(32), d_sparse(32);
    multiply_kernel<<<1, 32>>>(d_lanes.data(), d_dense.data(), d_sparse.data());
    const std::vector<int4> dense = on_host(d_dense), sparse = on_host(d_sparse);
    for (int row = 0; row < 16; ++row)
        for (int column = 0; column < 8; ++column) {
            int expected = sum_of(start, row, column);
            for (int k = 0; k < 32; ++k) expected += tap(lanes, row, k) * sample(lanes, k, column);
            CHECK(sum_of(dense, row, column) == expected);

            expected = sum_of(start, row, column);
            for (int k = 0; k < 32; ++k) {
                const int group = k / 2;
                const unsigned places = lanes[4 * (row % 8) + row / 8 + 2 * (group / 8)].positions;
                const int at = static_cast<int>(places >> (4 * (group % 8) + 2 * (k % 2)) & 3U);
                expected += tap(lanes, row, k) * sample(lanes, 4 * group + at, column);
            }
            CHECK(sum_of(sparse, row, column) == expected);
        }
}

__global__ void store_kernel(const uint4* d_words, std::uint16_t* d_out) {
    __shared__ __align__(16) std::uint16_t s_columns[32][8];
    const uint4 mine = d_words[threadIdx.x];
    store_transposed(s_columns[threadIdx.x], {mine.x, mine.y, mine.z, mine.w});
    __syncwarp();
    for (int i = 0; i < 8; ++i) d_out[8 * threadIdx.x + i] = s_columns[threadIdx.x][i];
}

TEST_CASE("tensor cores: four matrices are stored transposed") {
    NEEDS_CAPABILITY(kStoreTransposed);
    // Element (row, column) of matrix i is 64 i + 8 row + column.
    std::vector<uint4> words;
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned first = 8 * (lane / 4) + 2 * (lane % 4);
        const auto two = [&](unsigned i) { return (64 * i + first) | (64 * i + first + 1) << 16; };
        words.push_back(make_uint4(two(0), two(1), two(2), two(3)));
    }
    const DeviceBuffer<uint4> d_words = on_device(words);
    DeviceBuffer<std::uint16_t> d_out(256);
    store_kernel<<<1, 32>>>(d_words.data(), d_out.data());
    const std::vector<std::uint16_t> out = on_host(d_out);
    for (int i = 0; i < 4; ++i)
        for (int row = 0; row < 8; ++row)
            for (int column = 0; column < 8; ++column)
                CHECK(out[8 * (8 * i + column) + row] == 64 * i + 8 * row + column);
}

/// Two warps read the bytes of `d_in`, 96 at a time in two copies, through two slots that are each
/// used three times. The second warp copies once both warps have read.
__global__ void copy_kernel(const unsigned char* d_in, unsigned char* d_out) {
    __shared__ __align__(16) unsigned char s_slots[2][96];
    __shared__ Mbarrier full[2], empty[2];
    const auto fetch = [&](int i) {
        full[i % 2].arrive_expecting(96);
        full[i % 2].copy(s_slots[i % 2], d_in + 96 * i, 32);
        full[i % 2].copy(s_slots[i % 2] + 32, d_in + 96 * i + 32, 64);
    };
    const bool is_copying = threadIdx.x == 32;
    for (int slot = 0; is_copying && slot < 2; ++slot) {
        full[slot].init(1);
        empty[slot].init(64);
        fetch(slot);
    }
    __syncthreads();
    for (int i = 0; i < 6; ++i) {
        full[i % 2].wait(i / 2 % 2);
        for (int at = threadIdx.x; at < 96; at += 64) d_out[96 * i + at] = s_slots[i % 2][at];
        empty[i % 2].arrive();
        if (is_copying && i + 2 < 6) {
            empty[i % 2].wait(i / 2 % 2);
            fetch(i + 2);
        }
        __syncwarp();
    }
}

TEST_CASE("the pictures of lab 12's variants fill each slot of a ring again") {
    for (const Variant* variant :
         {&tensor_cores::pipeline, &tensor_cores::tensor, &tensor_cores::wgmma}) {
        std::set<int> tall, wide;  // sides K
        for (const AwkwardPicture& one : variant->awkward) {
            const Size size = *PictureSource(one.picture).size();
            // The emulator runs 16 blocks at a time, each with one strip of 768 bytes, and a ring
            // has at most four slots of four rows.
            const std::int64_t strips = (one.channels * size.width + 767) / 768;
            const bool is_refilled =
                size.height / std::max<std::int64_t>(1, 16 / strips) >= 2 * 4 * 4;
            if (is_refilled) (strips > 1 ? wide : tall).insert(one.sides.begin(), one.sides.end());
        }
        CHECK(tall.size() >= 4);
        CHECK(wide.size() >= 1);
    }
}

TEST_CASE("bulk copies: two warps share a ring of slots") {
    NEEDS_CAPABILITY(kBulkCopies);
    std::vector<unsigned char> bytes;
    for (int i = 0; i < 6 * 96; ++i) bytes.push_back(static_cast<unsigned char>(i * 7));
    const DeviceBuffer<unsigned char> d_in = on_device(bytes);
    DeviceBuffer<unsigned char> d_out(bytes.size());
    copy_kernel<<<1, 64>>>(d_in.data(), d_out.data());
    CHECK(on_host(d_out) == bytes);
}

#ifdef CUDA_ON_CPU
/// The emulator's report about the last kernel, which has failed.
std::string failure(cudaError_t expected) {
    CHECK(cudaDeviceSynchronize() == expected);
    const std::string sentence = cuda_on_cpu::last_report();
    cudaDeviceReset();
    return sentence;
}

__global__ void copy_wrongly(const unsigned char* d_in, int to, int from, int bytes) {
    __shared__ __align__(16) unsigned char s_to[64];
    __shared__ Mbarrier full;
    full.init(1);
    full.arrive_expecting(bytes);
    full.copy(s_to + to, d_in + from, bytes);
    full.wait(0);
}

TEST_CASE("bulk copies: addresses and bytes are multiples of 16") {
    const struct {
        int to, from, bytes;
        cudaError_t error;
        const char* words;
    } wrong[] = {
        {0, 0, 24, cudaErrorIllegalInstruction, "a number of bytes that is not a multiple of 16"},
        {0, 8, 16, cudaErrorMisalignedAddress, "from an address of global memory that is not"},
        {4, 0, 16, cudaErrorMisalignedAddress, "to an address of shared memory that is not"},
    };
    for (const auto& [to, from, bytes, error, words] : wrong) {
        unsigned char* d_in = nullptr;
        REQUIRE(cudaMalloc(&d_in, 64) == cudaSuccess);
        copy_wrongly<<<1, 1>>>(d_in, to, from, bytes);
        const std::string sentence = failure(error);
        CHECK(sentence.find(words) != std::string::npos);
        CHECK(sentence.find("tensor_test.cu:") != std::string::npos);
    }
}

__global__ void multiply_places(unsigned positions) {
    const uint4 none = make_uint4(0, 0, 0, 0);
    multiply_sparse(none, threadIdx.x == 5 ? positions : 0x44444444U, none, make_int4(0, 0, 0, 0));
}

TEST_CASE("tensor cores: the positions of a sparse matrix must increase") {
    multiply_places<<<1, 32>>>(0xedc98444U);  // all increasing pairs
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    multiply_places<<<1, 32>>>(0x44446444U);
    std::string sentence = failure(cudaErrorLaunchFailure);
    CHECK(sentence.find("thread (5,0,0) gives mma.sp the places 2 and 1 of group 3") !=
          std::string::npos);
    CHECK(sentence.find("do not rise") != std::string::npos);
    CHECK(sentence.find("tensor_test.cu:") != std::string::npos);
    multiply_places<<<1, 32>>>(0xf4444444U);
    sentence = failure(cudaErrorLaunchFailure);
    CHECK(sentence.find("the places 3 and 3 of group 7") != std::string::npos);
    CHECK(sentence.find("are equal") != std::string::npos);
}
__global__ void wrong_copy(const int* d_in, int* d_out, int expected, bool has_barrier) {
    __shared__ Mbarrier full;
    alignas(16) __shared__ int s_in[32];
    if (threadIdx.x == 31) full.init(1);
    if (has_barrier) __syncthreads();
    if (threadIdx.x == 0) {
        full.arrive_expecting(expected);
        full.copy(s_in, d_in, 128);
    }
    full.wait(0);
    d_out[threadIdx.x] = s_in[threadIdx.x];
}

__global__ void read_after_arriving(int* d_out) {
    __shared__ Mbarrier read;
    __shared__ int s_row;
    if (threadIdx.x == 0) {
        read.init(1);
        s_row = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        read.arrive();
        *d_out = s_row;  // the defect: too late
    } else {
        read.wait(0);
        s_row = 2;
    }
}

TEST_CASE("an mbarrier: after its arrival a thread may read other threads' data, in any order") {
    for (const char* const order : {"forward", "reverse", "random"}) {
        setenv("CUDA_ON_CPU_ORDER", order, 1);
        int *d_out = nullptr, out = 0;
        REQUIRE(cudaMalloc(&d_out, sizeof out) == cudaSuccess);
        read_after_arriving<<<1, 2>>>(d_out);
        CHECK(cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
        CHECK(out == 2);
        cudaFree(d_out);
    }
    unsetenv("CUDA_ON_CPU_ORDER");
}

TEST_CASE("bulk copies: the emulator names a missing barrier and a wrong number of bytes") {
    const struct {
        int expected;
        bool has_barrier;
        const char* words;
    } mistakes[] = {
        {128, false, "put __syncthreads() behind init"},
        {64, true, "waits for 64 bytes, as arrive_expecting says, but the copies bring 128"}};
    for (const auto& [expected, has_barrier, words] : mistakes) {
        {
            const auto d_in = on_device(std::vector<int>(32));
            auto d_out = on_device(std::vector<int>(32));
            wrong_copy<<<1, 32>>>(d_in.data(), d_out.data(), expected, has_barrier);
            CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
            CHECK(cuda_on_cpu::last_report().find(words) != std::string::npos);
        }
        cudaDeviceReset();
    }
}

__global__ void wait_for_ever(int parity) {
    extern __shared__ Mbarrier slots[];
    if (threadIdx.x == 0) slots[1].init(32);
    __syncthreads();
    if (threadIdx.x != 5) slots[1].arrive();
    if (threadIdx.x != 5) slots[1].wait(parity);
}

TEST_CASE("bulk copies: the emulator names the barrier and the parity of a ring that hangs") {
    setenv("CUDA_ON_CPU_TIMEOUT", "1", 1);
    wait_for_ever<<<1, 32, 2 * sizeof(Mbarrier)>>>(0);
    const std::string sentence = failure(cudaErrorLaunchTimeout);
    unsetenv("CUDA_ON_CPU_TIMEOUT");
    INFO(sentence);
    for (const std::string& words :
         {std::string("has waited for 1 s, at tests/labs_cuda/tensor_test.cu:"),
          "for the end of a phase of parity 0 of the mbarrier at byte " +
              std::to_string(sizeof(Mbarrier)) + " of dynamic shared memory",
          std::string("missing arrivals: 1 of 32")})
        CHECK(sentence.find(words) != std::string::npos);
}

#endif

}  // namespace
}  // namespace convolab::defects
