// SPDX-License-Identifier: MIT
// Lab 12's `wgmma`: asynchronous products compared with plain loops, the transposition, and the
// division in one instruction for every sum.
#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "common/cuda/bit_division.hpp"
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/memory.hpp"
#include "labs/12_tensor/parts/toeplitz.hpp"
#include "labs/12_tensor/parts/warpgroup.hpp"
#include "labs/12_tensor/variants.hpp"
#include "tests/labs_cuda/packed.hpp"

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

__global__ void divide_kernel(BitDivision division, int first, int count, unsigned* d_out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int sums[4] = {first + i, first + i, first + i, first + i};
    d_out[i] = division.four_bytes(sums);
}

TEST_CASE("the division in one instruction: every sum of many filters") {
    for (const char* text :
         {"1x1: 1", "1x1: 127 / 2", "1x1: 127 / 65535", "1x1: -128",
          "3x3: 127 127 127 127 127 127 127 127 127 / 7", "3x3: 1 1 1 1 1 1 1 1 1 / 9",
          "3x3: 127 -128 9 1 1 1 1 1 1 / 65536", "3x3: 127 -128 9 1 1 1 1 1 1 / 255"}) {
        const Toeplitz matrix(make_filter(text), 3);
        const BitDivision division = bit_division(matrix.divisor(), matrix.largest_sum());
        const int first = -255 * 128 * 9, count = matrix.largest_sum() - first + 1;
        DeviceBuffer<unsigned> d_out(static_cast<std::size_t>(count));
        divide_kernel<<<blocks_for(count, 256), 256>>>(division, first, count, d_out.data());
        std::vector<unsigned> out(d_out.size());
        d_out.download(out.data());
        int wrong = 0;
        for (int i = 0; i < count; ++i)
            wrong +=
                out[i] != 0x01010101U * round_to_byte(std::int64_t{first + i}, matrix.divisor());
        INFO(text);
        CHECK(wrong == 0);
    }
}

TEST_CASE("the division in one instruction: each divisor has a float, for the largest sum") {
    constexpr std::int32_t kLargest = 255 * 127 * 81;
    int wrong = 0;
    for (int divisor = 1; divisor <= 65536; divisor += divisor < 1000 ? 1 : 97)
        CHECK_NOTHROW(bit_division(divisor, kLargest));
    // Every possible sum, one after the other.
    for (const int divisor : {1, 2, 3, 7, 9, 16, 49, 81, 255, 256, 4099, 65025}) {
        const float inverse = bit_division(divisor, kLargest).inverse;
        for (std::int32_t sum = 0; sum <= kLargest; ++sum)
            wrong += std::min(bit_quotient(sum, inverse), 255) !=
                     static_cast<int>(round_to_byte(std::int64_t{sum}, divisor));
    }
    CHECK(wrong == 0);
}

TEST_CASE("wgmma: at the ends of the image's strips, with every border") {
    NEEDS_WARPGROUPS();
    for (const int channels : {1, 3, 4}) {
        const int strip = (channels == 3 ? 2304 : 2560) / channels;
        for (const int width : {1, 5, strip - 1, strip, strip + 1, strip + 5})
            for (const Border& border : kBorders)
                for (const int ksize : {3, 7, 9})
                    check_packed(wgmma, noise(width, 9, channels), make_filter("box", ksize),
                                 border);
    }
}

TEST_CASE("wgmma: the ring goes round, with finished and unfinished stages") {
    NEEDS_WARPGROUPS();
    const Image image = noise(3 * 768 + 1, 400);
    for (const int ksize : {3, 5, 7}) check_packed(wgmma, image, make_filter("box", ksize), {});
}

TEST_CASE("wgmma: a band's kernel needs only the rows under its output") {
    NEEDS_WARPGROUPS();
    constexpr int kOut = 5, kIn = kOut + 1;
    const Image image = noise(40, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const std::int64_t row_bytes = image.width() * image.channels();
    const BandKernel kernel = wgmma_kernel(job, {0, kOut, 0, kIn});
    const std::size_t in_pitch = packed_pitch(kernel.in, row_bytes),
                      out_pitch = packed_pitch(kernel.out, row_bytes);
    DeviceBuffer<std::uint8_t> d_in(in_pitch * kIn), d_out(out_pitch * kOut);
    std::vector<std::uint8_t> in(d_in.size()), out(d_out.size());
    const std::uint8_t* const pixels = image.data<std::uint8_t>();
    for (int y = 0; y < kIn; ++y)
        std::copy_n(pixels + y * row_bytes, row_bytes, &in[y * in_pitch + kernel.in.lead]);
    d_in.upload(in.data());
    d_out.fill(0);
    kernel.launch(d_in.data() + kernel.in.lead, d_out.data(), nullptr);
    d_out.download(out.data());
    const Image right = reference_convolution(job);
    for (int y = 0; y < kOut; ++y)
        CHECK(std::equal(&out[y * out_pitch], &out[y * out_pitch] + row_bytes,
                         right.data<std::uint8_t>() + y * row_bytes));
}

}  // namespace
}  // namespace convolab::defects
