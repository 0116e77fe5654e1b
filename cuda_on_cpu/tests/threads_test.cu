// SPDX-License-Identifier: MIT
// The execution model: blocks, threads, barriers and shared memory.
#include <set>
#include <tuple>
#include <vector>

#include "../device/base/undefined.hpp"
#include "helpers.hpp"

namespace {

__global__ void record_indices(unsigned* out) {
    const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned i = block * blockDim.x * blockDim.y * blockDim.z + in_block;
    out[2 * i] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16;
    out[2 * i + 1] = blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16;
}

/// Reverses each block's values through a tile, and writes them again after each barrier.
__global__ void reverse_often(int* data, int rounds) {
    __shared__ int s_tile[256];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        s_tile[threadIdx.x] = data[i];
        __syncthreads();
        data[i] = s_tile[blockDim.x - 1 - threadIdx.x] + 1;
        __syncthreads();
    }
}

__device__ int neighbour(int* s_values, int value) {  // a barrier in a function
    s_values[threadIdx.x] = value;
    __syncthreads();
    return s_values[(threadIdx.x + 1) % blockDim.x];
}

__global__ void two_tiles(int* out) {
    __shared__ int s_static[64];
    int* const s_dynamic = reinterpret_cast<int*>(dynamic_shared);
    const int a = neighbour(s_static, static_cast<int>(threadIdx.x));
    const int b = neighbour(s_dynamic, 100 * a);
    out[blockIdx.x * blockDim.x + threadIdx.x] = b;
}

__global__ void read_unwritten(unsigned* out) {
    __shared__ unsigned s_tile[8][9];
    const unsigned* const s_dynamic = reinterpret_cast<const unsigned*>(dynamic_shared);
    out[2 * blockIdx.x] = s_tile[7][8];
    out[2 * blockIdx.x + 1] = s_dynamic[15];
    s_tile[7][8] = 5;  // must not be visible to the next block
    reinterpret_cast<unsigned*>(dynamic_shared)[15] = 6;
}

__global__ void count_votes(int* out) {
    const bool even = threadIdx.x % 2 == 0;
    const int count = __syncthreads_count(even);
    const int any = __syncthreads_or(threadIdx.x == 3);
    const int none = __syncthreads_or(threadIdx.x == 1000);
    const int all = __syncthreads_and(1);
    const int not_all = __syncthreads_and(even);
    out[threadIdx.x] = count * 10000 + any * 1000 + none * 100 + all * 10 + not_all;
}

struct Pair {
    int a;
    double b;
};
__global__ void by_value(Pair pair, int more, double* out) {
    pair.a += more;  // each thread has its own copy
    out[threadIdx.x] = pair.a * pair.b;
}

__global__ void leave_early(int* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    out[i] = i;
}

/// Threads return before each of the barriers, where the others meet.
__global__ void leave_between_barriers(int* out) {
    __shared__ int s_last;
    int rounds = 0;
    for (int left = static_cast<int>(blockDim.x); left > 0; left /= 2) {
        if (static_cast<int>(threadIdx.x) >= left) return;
        if (static_cast<int>(threadIdx.x) == left - 1) s_last = left - 1;
        if (__syncthreads_count(1) != left || s_last != left - 1) return;
        out[blockIdx.x * blockDim.x + threadIdx.x] = ++rounds;
        __syncthreads();
    }
}

/// Lane 0 waits in a loop for what the last thread does, without a call that shows the wait.
__global__ void wait_by_atomic(int* out, int how) {
    __shared__ int s_flag;
    if (threadIdx.x == 0) s_flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        if (how == 0)
            while (atomicAdd(&s_flag, 0) == 0) {
            }
        else if (how == 1)
            while (atomicCAS(&s_flag, 1, 2) != 1) {
            }
        else
            while (__ldcg(&s_flag) == 0) {
            }
        out[0] = 7;
    }
    if (threadIdx.x == blockDim.x - 1) atomicExch(&s_flag, 1);
}
__global__ void wait_by_volatile(volatile int* flag, int* out) {
    if (threadIdx.x == 0) {
        while (*flag == 0) {
        }
        out[0] = 7;
    }
    if (threadIdx.x == blockDim.x - 1) *flag = 1;
}
/// Each warp, and each lane of it, takes its turn in a critical section.
__global__ void lock_by_turns(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    const int old = *sum;
    if (threadIdx.x % 7 == 0) __nanosleep(1);
    *sum = old + 1;
    __threadfence();
    atomicExch(lock, 0);
}

/// Each thread waits for the one that begins last.
__global__ void wait_for_the_last(int* out) {
    __shared__ int s_begun;
    if (threadIdx.x == 0) s_begun = 0;
    __syncthreads();
    atomicAdd(&s_begun, 1);
    while (atomicAdd(&s_begun, 0) < static_cast<int>(blockDim.x)) __nanosleep(20);
    out[threadIdx.x] = atomicAdd(&s_begun, 0);
}
/// No barrier precedes the wait, so threads that have not begun must also get their turn.
__global__ void wait_for_a_later_one(int* data) {
    if (static_cast<int>(threadIdx.x) == data[0])
        atomicExch(&data[1], 7);
    else
        while (atomicAdd(&data[1], 0) == 0) __nanosleep(20);
}

}  // namespace

TEST_CASE("every thread of every block runs once and knows where it is") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        const dim3 grid(3, 2, 2), block(5, 4, 3);
        DeviceBuffer<unsigned> d_out(2 * 12 * 60);
        std::vector<unsigned> out(d_out.size());
        record_indices<<<grid, block>>>(d_out.data());
        d_out.download(out.data());
        std::set<std::pair<unsigned, unsigned>> seen;
        bool right = true;
        for (unsigned i = 0; i < 12 * 60; ++i) {
            const unsigned t = i % 60, b = i / 60;
            right &= out[2 * i] == (t % 5 | t / 5 % 4 << 8 | t / 20 << 16);
            right &= out[2 * i + 1] == (b % 3 | b / 3 % 2 << 8 | b / 6 << 16);
            seen.insert({out[2 * i], out[2 * i + 1]});
        }
        INFO(order);
        CHECK(right);
        CHECK(seen.size() == 720);
    }
}

TEST_CASE("barriers in loops order shared memory, in every order and block size") {
    for (const char* order : every_order)
        for (unsigned size : {1U, 2U, 31U, 32U, 33U, 100U, 256U}) {
            const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
            DeviceBuffer<int> d_data(size * 3);
            std::vector<int> data(size * 3);
            for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i);
            d_data.upload(data.data());
            reverse_often<<<3, size>>>(d_data.data(), 5);
            d_data.download(data.data());
            bool right = true;
            for (unsigned i = 0; i < data.size(); ++i)
                right &= data[i] == static_cast<int>(i / size * size + size - 1 - i % size) + 5;
            INFO(order << ", " << size << " threads");
            CHECK(right);
        }
}

TEST_CASE("1024 threads wait, each on its own stack") {
    DeviceBuffer<int> d_out(2048);
    std::vector<int> out(2048);
    leave_early<<<2, 1024>>>(d_out.data(), 2048);
    d_out.download(out.data());
    CHECK(out[2047] == 2047);
}

TEST_CASE("static and dynamic shared memory are separate, and a helper function may wait") {
    DeviceBuffer<int> d_out(128);
    std::vector<int> out(128);
    two_tiles<<<2, 64, 64 * sizeof(int)>>>(d_out.data());
    d_out.download(out.data());
    for (int i = 0; i < 128; ++i) CHECK(out[i] == 100 * ((i + 2) % 64));
}

TEST_CASE("shared memory is undefined in every block until it is written") {
    DeviceBuffer<unsigned> d_out(6);
    unsigned out[6];
    read_unwritten<<<3, 1, 64>>>(d_out.data());
    d_out.download(out);
    for (const unsigned word : out) CHECK(word == cuda_on_cpu::undefined_word);
}

TEST_CASE("__syncthreads_count, _or and _and") {
    DeviceBuffer<int> d_out(33);
    int out[33];
    count_votes<<<1, 33>>>(d_out.data());
    d_out.download(out);
    for (int value : out) CHECK(value == 17 * 10000 + 1000 + 10);
}

TEST_CASE("arguments are converted, copied at the launch and given to each thread by value") {
    DeviceBuffer<double> d_out(4);
    double out[4];
    Pair pair{1, 0.5};
    by_value<<<1, 4>>>(pair, short{2}, d_out.data());
    pair.a = 100;  // too late
    d_out.download(out);
    for (double value : out) CHECK(value == 1.5);
}

TEST_CASE("a barrier waits for the threads that have not returned, in every order") {
    for (const char* order : every_order)
        for (const int threads : {1, 33, 256}) {
            const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
            DeviceBuffer<int> d_out(512);
            std::vector<int> out(512);
            leave_between_barriers<<<2, threads>>>(d_out.data());
            d_out.download(out.data());
            INFO(order << ", " << threads << " threads");
            for (int i = 0; i < 2 * threads; ++i) {
                int rounds = 0;
                for (int left = threads; left > i % threads; left /= 2) ++rounds;
                CHECK(out[i] == rounds);
            }
        }
}

TEST_CASE("a thread that waits in a loop lets the others run, in every order") {
    const ScopedSetting timeout("CUDA_ON_CPU_TIMEOUT", "3");
    for (const char* order : {"forward", "reverse", "random"}) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        INFO(order);
        DeviceBuffer<int> d_data(2);
        int data[2];
        for (const int threads : {32, 256})
            for (const int how : {0, 1}) {
                wait_by_atomic<<<1, threads>>>(d_data.data(), how);
                d_data.download(data);
                CHECK(data[0] == 7);
            }
        d_data.fill(0);
        lock_by_turns<<<1, 256>>>(d_data.data(), d_data.data() + 1);
        d_data.download(data);
        CHECK(data[1] == 256);
        wait_by_atomic<<<1, 64>>>(d_data.data(), 2);
        d_data.download(data);
        CHECK(data[0] == 7);
        d_data.fill(0);
        wait_by_volatile<<<1, 64>>>(d_data.data(), d_data.data() + 1);
        d_data.download(data);
        CHECK(data[1] == 7);
    }
}

TEST_CASE("a thread that sleeps lets the others run, in every order") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        DeviceBuffer<int> d_out(100);
        int out[100];
        wait_for_the_last<<<1, 100>>>(d_out.data());
        d_out.download(out);
        INFO(order);
        for (int value : out) CHECK(value == 100);
        for (const int last : {0, 40, 99}) {
            out[0] = last;
            out[1] = 0;
            d_out.upload(out);
            wait_for_a_later_one<<<1, 100>>>(d_out.data());
            d_out.download(out);
            CHECK(out[1] == 7);
        }
    }
}

TEST_CASE("an unknown order ends the program with an error message") {
    const ScopedSetting setting("CUDA_ON_CPU_ORDER", "sideways");
    const Ending ending = in_child([] {
        DeviceBuffer<int> d_out(1);
        leave_early<<<1, 1>>>(d_out.data(), 1);
        cudaDeviceSynchronize();
    });
    CHECK(WIFEXITED(ending.status));
    CHECK(WEXITSTATUS(ending.status) == 2);
    CHECK(contains(ending.output, "CUDA_ON_CPU_ORDER is 'sideways'"));
}
