// SPDX-License-Identifier: MIT
// Shuffles, votes and __syncwarp, compared with what the CUDA guide specifies for each lane.
#include <vector>

#include "helpers.hpp"

namespace {

constexpr unsigned all = 0xffffffffU;

__global__ void shuffles(int* out, int width) {
    const int lane = static_cast<int>(threadIdx.x);
    out[0 * 32 + lane] = __shfl_sync(all, lane * 10, 5, width);
    out[1 * 32 + lane] = __shfl_up_sync(all, lane * 10, 3, width);
    out[2 * 32 + lane] = __shfl_down_sync(all, lane * 10, 3, width);
    out[3 * 32 + lane] = __shfl_xor_sync(all, lane * 10, 5, width);
}

template <class T>
__global__ void sum_of_block(const T* in, T* out) {
    T value = in[threadIdx.x];
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(all, value, step);
    out[threadIdx.x] = value;
}

__global__ void votes(unsigned* out) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    unsigned* const mine = out + 8 * threadIdx.x;
    mine[0] = __ballot_sync(all, lane % 3 == warp);
    mine[1] = static_cast<unsigned>(__any_sync(all, lane == 31));
    mine[2] = static_cast<unsigned>(__all_sync(all, lane < 31));
    mine[3] = __match_any_sync(all, lane / 8);
    mine[4] = __reduce_add_sync(all, lane);
    mine[5] = __reduce_max_sync(all, lane ^ 5U);
    mine[6] = __reduce_min_sync(all, lane + 7);
    mine[7] = __activemask();
    __syncwarp();  // no lane returns before all have called it
}

__global__ void votes_of_other_types(unsigned* out) {
    const int lane = static_cast<int>(threadIdx.x);
    unsigned* const mine = out + 12 * lane;
    mine[0] = static_cast<unsigned>(__reduce_min_sync(all, lane - 16));
    mine[1] = static_cast<unsigned>(__reduce_max_sync(all, lane - 40));
    mine[2] = __reduce_add_sync(all, lane - 31) < 0;
    mine[3] = __reduce_and_sync(all, threadIdx.x | 64U);
    mine[4] = __reduce_or_sync(all, threadIdx.x);
    mine[5] = __reduce_xor_sync(all, threadIdx.x << lane % 2);
    mine[6] = __match_any_sync(all, lane < 8 ? 1.25F : 1.75F);
    mine[7] = __match_any_sync(all, 1ULL << (32 + lane / 4));
    mine[8] = __match_any_sync(all, -1.5 * (lane % 2));
    int is_equal[2];
    mine[9] = __match_all_sync(all, 3LL << 40, &is_equal[0]);
    mine[10] = __match_all_sync(all, (3LL + lane / 31) << 40, &is_equal[1]);
    mine[11] = static_cast<unsigned>(2 * is_equal[0] + is_equal[1]);
}

__global__ void halves(int* out) {  // two groups of a warp take different branches
    const int lane = static_cast<int>(threadIdx.x);
    if (lane < 16) {
        int value = lane;
        for (int i = 0; i < 3; ++i) value = __shfl_down_sync(0x0000ffffU, value, 1, 16);
        out[lane] = value;
    } else {
        out[lane] = __shfl_sync(0xffff0000U, lane, 31);
    }
}

enum Color { red, green };
__global__ void shuffle_small_types(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    const bool flag = lane == 1;
    const auto letter = static_cast<signed char>(-2 - lane);
    const auto number = static_cast<unsigned short>(65500 + lane);
    const int got[] = {__shfl_xor_sync(all, flag, 1), __shfl_down_sync(all, letter, 1),
                       __shfl_sync(all, number, 1), __shfl_up_sync(all, flag ? green : red, 31),
                       __match_any_sync(all, flag) == 2U};
    if (lane == 0)
        for (int i = 0; i < 5; ++i) out[i] = got[i];
}

__global__ void reads_a_stranger(unsigned* out) {
    out[threadIdx.x] = __shfl_sync(all, threadIdx.x, 20);
}
__global__ void strange_lanes(unsigned* out, int what) {
    const unsigned lane = threadIdx.x;
    if (what == 1 && lane >= 16) return;
    if (what == 0 && lane < 11) out[lane] = __shfl_down_sync(0x7ffU, lane, 8);
    if (what == 1) out[lane] = __shfl_xor_sync(all, lane, 16);
    if (what == 2) out[lane] = __shfl_sync(all, lane, 5, 12);
    if (what == 3) out[lane] = __shfl_up_sync(all, lane, 32);
    if (what == 4) out[lane] = __shfl_down_sync(all, lane, 31) + __shfl_sync(all, lane, 37, 4);
}
__global__ void masks_of_branches(unsigned* out) {
    const unsigned lane = threadIdx.x;
    out[lane] = 7;
    if (lane < 4) return;
    if (lane % 2 == 1)
        out[lane] = __ballot_sync(__activemask(), 1);
    else
        out[lane] = __ballot_sync(__activemask(), 1);
}
__global__ void some_return(unsigned* out, unsigned n) {
    if (threadIdx.x >= n) return;
    unsigned* const mine = out + 3 * threadIdx.x;
    mine[0] = __shfl_sync(all, threadIdx.x + 5, 0);
    mine[1] = __ballot_sync(all, 1);
    if (threadIdx.x % 2 == 1) return;
    mine[2] = __reduce_add_sync(all, 1);
}
__global__ void mask_by_ballot(unsigned* out, unsigned n) {
    const unsigned mask = __ballot_sync(all, threadIdx.x < n);
    if (threadIdx.x >= n) return;
    out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, 0);
}

__global__ void rotate_often(unsigned* out, int rounds) {
    __syncthreads();  // all warps run at once
    unsigned value = threadIdx.x;
    for (int i = 0; i < rounds; ++i) value = __shfl_sync(all, value, (threadIdx.x + 1) % 32);
    out[threadIdx.x] = value;
}

__global__ void exchange_in_shared(int* out) {
    __shared__ int s_values[32];
    s_values[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncwarp();
    out[threadIdx.x] = s_values[31 - threadIdx.x];
}

__global__ void two_exchanges(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    const int first = __shfl_sync(0xffffffffU, lane == 0 ? 100 : 1, 0);
    if (lane < 4) __shfl_sync(0xfU, lane + 7, 0);
    out[lane] = first;
}

}  // namespace

TEST_CASE("lanes keep the values of an exchange while others are in the next one") {
    // Lane 31 completes the first exchange but reads it last: after the first four lanes have met
    // again.
    DeviceBuffer<int> d_out(32);
    two_exchanges<<<1, 32>>>(d_out.data());
    int out[32];
    d_out.download(out);
    for (const int value : out) CHECK(value == 100);
}

TEST_CASE("shuffles give each lane the right other lane") {
    for (const char* order : every_order)
        for (int width : {32, 16, 8, 4, 2, 1}) {
            const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
            DeviceBuffer<int> d_out(128);
            std::vector<int> out(128);
            shuffles<<<1, 32>>>(d_out.data(), width);
            d_out.download(out.data());
            for (int lane = 0; lane < 32; ++lane) {
                const int group = lane / width * width, in_group = lane % width;
                const int other = lane ^ 5;
                INFO(order << ", width " << width << ", lane " << lane);
                CHECK(out[lane] == 10 * (group + 5 % width));
                CHECK(out[32 + lane] == 10 * (in_group >= 3 ? lane - 3 : lane));
                CHECK(out[64 + lane] == 10 * (in_group + 3 < width ? lane + 3 : lane));
                CHECK(out[96 + lane] == 10 * (other < group + width ? other : lane));
            }
        }
}

TEMPLATE_TEST_CASE("shuffles move 4 and 8 bytes", "", int, unsigned, float, double, long long,
                   unsigned long long) {
    std::vector<TestType> values(64);
    for (int i = 0; i < 64; ++i) values[i] = static_cast<TestType>(i * 3 + 1);
    DeviceBuffer<TestType> d_in(64), d_out(64);
    d_in.upload(values.data());
    sum_of_block<TestType><<<1, 64>>>(d_in.data(), d_out.data());
    d_out.download(values.data());
    CHECK(values[0] == static_cast<TestType>(3 * 496 + 32));
    CHECK(values[63] == static_cast<TestType>(3 * 1520 + 32));
}

TEST_CASE("shuffles of bool, char, short and an enumerator are those of an int") {
    DeviceBuffer<int> d_out(5);
    int out[5];
    shuffle_small_types<<<1, 32>>>(d_out.data());
    d_out.download(out);
    CHECK(std::vector<int>(out, out + 5) == std::vector<int>{1, -3, 65501, 0, 0});
}

TEST_CASE("votes, matches and reductions") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        DeviceBuffer<unsigned> d_out(8 * 64);
        std::vector<unsigned> out(8 * 64);
        votes<<<1, 64>>>(d_out.data());
        d_out.download(out.data());
        for (unsigned thread = 0; thread < 64; ++thread) {
            const unsigned* const mine = &out[8 * thread];
            CHECK(mine[0] == (thread < 32 ? 0x49249249U : 0x92492492U));
            CHECK(mine[1] == 1);
            CHECK(mine[2] == 0);
            CHECK(mine[3] == 0xffU << thread % 32 / 8 * 8);
            CHECK(mine[4] == 496);
            CHECK(mine[5] == 31);
            CHECK(mine[6] == 7);
            CHECK(mine[7] == all);
        }
    }
}

TEST_CASE("matches and reductions of numbers with a sign, a fraction or 64 bits") {
    DeviceBuffer<unsigned> d_out(12 * 32);
    std::vector<unsigned> out(12 * 32);
    votes_of_other_types<<<1, 32>>>(d_out.data());
    d_out.download(out.data());
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned* const mine = &out[12 * lane];
        CHECK(mine[0] == static_cast<unsigned>(-16));
        CHECK(mine[1] == static_cast<unsigned>(-9));
        CHECK(mine[2] == 1);
        CHECK(mine[3] == 64);
        CHECK(mine[4] == 31);
        CHECK(mine[5] == 0);
        CHECK(mine[6] == (lane < 8 ? 0xffU : 0xffffff00U));
        CHECK(mine[7] == 0xfU << lane / 4 * 4);
        CHECK(mine[8] == (lane % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU));
        CHECK(mine[9] == all);
        CHECK(mine[10] == 0);
        CHECK(mine[11] == 2);
    }
}

TEST_CASE("32 warps exchange 1000 times side by side") {
    DeviceBuffer<unsigned> d_out(1024);
    std::vector<unsigned> out(1024);
    rotate_often<<<1, 1024>>>(d_out.data(), 1000);
    d_out.download(out.data());
    bool right = true;
    for (unsigned i = 0; i < 1024; ++i) right &= out[i] == i / 32 * 32 + (i + 1000) % 32;
    CHECK(right);
}

TEST_CASE("two groups of a warp exchange values independently") {
    DeviceBuffer<int> d_out(32);
    int out[32];
    halves<<<1, 32>>>(d_out.data());
    d_out.download(out);
    CHECK(out[0] == 3);
    CHECK(out[14] == 15);
    CHECK(out[15] == 15);
    for (int lane = 16; lane < 32; ++lane) CHECK(out[lane] == 31);
}

TEST_CASE("a warp function waits for the lanes that have not returned, in every order") {
    for (const char* order : every_order)
        for (const unsigned n : {32U, 20U, 1U}) {
            const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
            DeviceBuffer<unsigned> d_out(96);
            unsigned out[96];
            some_return<<<1, 32>>>(d_out.data(), n);
            d_out.download(out);
            INFO(order << ", " << n << " lanes");
            for (unsigned lane = 0; lane < n; ++lane) {
                CHECK(out[3 * lane] == 5);
                CHECK(out[3 * lane + 1] == (n == 32 ? all : (1U << n) - 1));
                if (lane % 2 == 0) CHECK(out[3 * lane + 2] == (n + 1) / 2);
            }
            mask_by_ballot<<<1, 32>>>(d_out.data(), n);
            CHECK(cudaDeviceSynchronize() == cudaSuccess);
        }
}

TEST_CASE("a lane that does not exist brings an undefined value, not a hang") {
    DeviceBuffer<unsigned> d_out(8);
    unsigned out[8];
    reads_a_stranger<<<1, 8>>>(d_out.data());
    d_out.download(out);
    CHECK(out[0] == 0xfff5fdb5U);
    CHECK(out[7] == 0xfff5fdb5U);
}

TEST_CASE("a shuffle whose value is undefined is reported, and the kernel continues") {
    const std::string reported[] = {
        "lane 3 reads lane 11, which is not in the mask 0x000007ff",
        "lane 0 reads lane 16, which is in the mask 0xffffffff, but has returned", "the width is 12, but must be 1, 2, 4",
        "the distance is 32; its five lowest bits count, so it is 0", ""};
    for (const int what : {0, 1, 2, 3, 4}) {
        cuda_on_cpu::clear_report();
        DeviceBuffer<unsigned> d_out(32);
        strange_lanes<<<1, 32>>>(d_out.data(), what);
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        INFO(cuda_on_cpu::last_report());
        CHECK(contains(cuda_on_cpu::last_report(), reported[what]));
        CHECK(cuda_on_cpu::last_report().empty() == reported[what].empty());
        if (what != 3) continue;
        unsigned out[32];
        d_out.download(out);
        for (unsigned lane = 0; lane < 32; ++lane) CHECK(out[lane] == lane);
        CHECK(cuda_on_cpu::last_finding().kind == cuda_on_cpu::Kind::long_shuffle);
        CHECK(cuda_on_cpu::last_finding().weight == cuda_on_cpu::Weight::note);
    }
}

TEST_CASE("__activemask gives the lanes of the branch that have not returned, in every order") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        DeviceBuffer<unsigned> d_out(32);
        unsigned out[32];
        masks_of_branches<<<1, 32>>>(d_out.data());
        d_out.download(out);
        for (unsigned lane = 0; lane < 32; ++lane)
            CHECK(out[lane] == (lane < 4 ? 7U : lane % 2 == 1 ? 0xaaaaaaa0U : 0x55555550U));
    }
}

TEST_CASE("__syncwarp orders shared memory, in every order") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        DeviceBuffer<int> d_out(32);
        int out[32];
        exchange_in_shared<<<1, 32>>>(d_out.data());
        d_out.download(out);
        for (int lane = 0; lane < 32; ++lane) CHECK(out[lane] == 31 - lane);
    }
}
