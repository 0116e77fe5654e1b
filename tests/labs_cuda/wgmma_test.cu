// SPDX-License-Identifier: MIT
// Lab 12's `wgmma`: asynchronous products compared with plain loops, and the transposition.
#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "common/cuda/device.hpp"
#include "common/cuda/memory.hpp"
#include "labs/12_tensor/parts/warpgroup.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

using namespace tensor_cores;

#define NEEDS_WARPGROUPS() \
    if (!has_warpgroups()) SKIP_TEST("the GPU is not of compute capability 9.0")
bool has_warpgroups() {
    int major = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major == 9;
}

constexpr int kPitch = 2640;  // the distance of a column's chunks, for a sparse product
constexpr int kBytes = 4 * kPitch;
constexpr int kThreads = 128;

/// sums = A x B, then sums += A x B; or the sums before the wait.
template <int N, class Part>
__global__ void product_kernel(const Part* d_lanes, const unsigned char* d_bytes, int* d_sums,
                               bool is_early) {
    alignas(128) __shared__ unsigned char s_bytes[kBytes];
    for (int i = threadIdx.x; i < kBytes; i += kThreads) s_bytes[i] = d_bytes[i];
    __syncthreads();
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    const Descriptor b(s_bytes);
    const int stride = Part::kChunks == 4 ? kPitch : 16;
    Products<N> products;
    products.begin();
    products.template multiply<true>(d_lanes[threadIdx.x], b.at(0, stride));
    products.template multiply<false>(d_lanes[threadIdx.x], b.at(16, stride));
    if (!is_early) products.wait();
    for (int i = 0; i < N / 2; ++i) d_sums[N / 2 * threadIdx.x + i] = products.sums[i];
    if (is_early) products.wait();
}

template <class Part>
std::vector<Part> random_lanes(std::mt19937& random) {
    std::vector<Part> lanes(kThreads);
    for (Part& lane : lanes) {
        for (unsigned* word : {&lane.a.x, &lane.a.y, &lane.a.z, &lane.a.w}) *word = random();
        if constexpr (Part::kChunks == 4)
            for (int group = 0; group < 8; ++group) {  // two places, the lower first
                const unsigned low = random() % 3, high = low + 1 + random() % (3 - low);
                lane.positions |= (low | high << 2) << (4 * group);
            }
    }
    return lanes;
}

/// The byte of a column that the k-th element of a row of A is multiplied with.
template <class Part>
int place(const std::vector<Part>& lanes, int row, int k) {
    if constexpr (Part::kChunks == 4) {
        const int lane = row / 16 * 32 + 4 * (row % 8) + row % 16 / 8 + 2 * (k / 16);
        return k / 2 * 4 + static_cast<int>(lanes[lane].positions >> (2 * (k % 16)) & 3U);
    } else {
        return k;
    }
}
template <class Part>
int tap(const std::vector<Part>& lanes, int row, int k) {
    const uint4& a = lanes[row / 16 * 32 + 4 * (row % 8) + k % 16 / 4].a;
    const std::array<unsigned, 4> words = {a.x, a.y, a.z, a.w};
    return static_cast<std::int8_t>(words[row % 16 / 8 + 2 * (k / 16)] >> (8 * (k % 4)));
}

template <int N, class Part>
void check_products() {
    NEEDS_WARPGROUPS();
    std::mt19937 random(7);
    const std::vector<Part> lanes = random_lanes<Part>(random);
    std::vector<unsigned char> bytes(kBytes);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    DeviceBuffer<Part> d_lanes(lanes.size());
    DeviceBuffer<unsigned char> d_bytes(kBytes);
    DeviceBuffer<int> d_sums(kThreads * N / 2);
    d_lanes.upload(lanes.data());
    d_bytes.upload(bytes.data());
    product_kernel<N><<<1, kThreads>>>(d_lanes.data(), d_bytes.data(), d_sums.data(), false);
    std::vector<int> sums(d_sums.size());
    d_sums.download(sums.data());

    const int stride = Part::kChunks == 4 ? kPitch : 16;
    int wrong = 0;
    for (int row = 0; row < 64; ++row)
        for (int column = 0; column < N; ++column) {
            int expected = 0;
            for (int k = 0; k < 32; ++k) {
                const int at = place(lanes, row, k);
                const unsigned char* from = &bytes[16 * column + at / 16 * stride + at % 16];
                expected += tap(lanes, row, k) * (from[0] + from[16]);
            }
            const int lane = row / 16 * 32 + 4 * (row % 8) + column % 8 / 2;
            const int i = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
            wrong += sums[N / 2 * lane + i] != expected;
        }
    CHECK(wrong == 0);
#ifdef CUDA_ON_CPU
    product_kernel<N><<<1, kThreads>>>(d_lanes.data(), d_bytes.data(), d_sums.data(), true);
    d_sums.download(sums.data());
    CHECK(std::all_of(sums.begin(), sums.end(), [](int sum) { return sum == 0x7f7f7f7f; }));
#endif
}

TEST_CASE("asynchronous products are those of plain loops, and complete after the wait") {
    check_products<144, SparsePart>();
    check_products<160, SparsePart>();
    check_products<160, DensePart>();
}

__global__ void transpose_kernel(unsigned* d_words) {
    d_words[threadIdx.x] = transposed(d_words[threadIdx.x]);
}

TEST_CASE("a matrix of pairs of bytes is transposed") {
    std::vector<unsigned> words;
    for (unsigned lane = 0; lane < 32; ++lane) {  // element (row, column) is 8 row + column
        const unsigned first = 8 * (lane / 4) + 2 * (lane % 4);
        words.push_back(first | (first + 1) << 16);
    }
    DeviceBuffer<unsigned> d_words(words.size());
    d_words.upload(words.data());
    transpose_kernel<<<1, 32>>>(d_words.data());
    d_words.download(words.data());
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned first = lane / 4 + 8 * (2 * (lane % 4));
        CHECK(words[lane] == (first | (first + 8) << 16));
    }
}

}  // namespace
}  // namespace convolab::defects
