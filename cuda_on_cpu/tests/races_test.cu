// SPDX-License-Identifier: MIT
// Missing barriers, atomics and fences, under ThreadSanitizer. Each kernel runs in a separate
// process, as the hidden test "[.race]" with its settings in RACE, because TSan finds nothing after
// a fork.
#include "helpers.hpp"

#ifdef BUILT_WITH_TSAN

#include <cstdio>

namespace {

// Thread `writer` writes what `reader` reads, with or without a barrier in between.
constexpr int line_of_write = __LINE__ + 3;
__global__ void two_threads(int* out, unsigned writer, unsigned reader, bool wait) {
    __shared__ int s_value;
    if (threadIdx.x == writer) s_value = 1;
    if (wait) __syncthreads();
    if (threadIdx.x == reader) out[blockIdx.x] = s_value;
}
__global__ void two_lanes(int* out, unsigned writer, unsigned reader, bool wait) {
    __shared__ int s_value;
    if (threadIdx.x == writer) s_value = 1;
    if (wait) __syncwarp();
    if (threadIdx.x == reader) out[blockIdx.x] = s_value;
}
__global__ void through_global_memory(int* out, unsigned writer, unsigned reader, bool wait) {
    if (threadIdx.x == writer) out[blockIdx.x] = 1;
    if (wait) __syncthreads();
    if (threadIdx.x == reader) out[blockIdx.x] = 2;
}
__global__ void in_dynamic_memory(int* out, unsigned writer, unsigned reader, bool wait) {
    if (threadIdx.x == writer) dynamic_shared[0] = 1;
    if (wait) __syncthreads();
    if (threadIdx.x == reader) out[blockIdx.x] = dynamic_shared[0];
}
// Blocks share these results; `wait` makes that correct.
__global__ void count_blocks(int* out, unsigned writer, unsigned, bool wait) {
    if (threadIdx.x != writer) return;
    if (wait)
        atomicAdd(&out[0], 1);
    else
        ++out[0];
}
__global__ void last_block_sums(int* out, unsigned writer, unsigned, bool wait) {
    if (threadIdx.x != writer) return;
    out[1 + blockIdx.x] = 1;
    if (wait) __threadfence();
    if (atomicAdd(&out[0], 1) < static_cast<int>(gridDim.x) - 1) return;
    for (unsigned i = 0; i < gridDim.x; ++i) out[0] += out[1 + i];
}
__global__ void next_block_goes_on(int* out, unsigned writer, unsigned, bool wait) {
    if (threadIdx.x != writer) return;
    while (atomicCAS(&out[0], 0, 1) != 0) {
    }
    ++out[1];
    if (wait) __threadfence();
    atomicExch(&out[0], 0);
}
__global__ void share_every_fourth(int* out, unsigned writer, unsigned, bool) {
    if (threadIdx.x == writer) out[blockIdx.x % 4] = 1;
}
__global__ void past_the_end(int* out, unsigned, unsigned reader, bool) {
    out[1000 + threadIdx.x] = static_cast<int>(reader);
}
__global__ void waits_alone() {
    if (threadIdx.x == 0) __syncthreads();
}

struct Race {
    int kernel = 0;
    unsigned writer = 0, reader = 0, threads = 1024, blocks = 1;
    bool wait = false;
    int failures = 0;  // the number of kernels that fail before
    int launches = 1;
};
constexpr const char* format = "%d %u %u %u %u %d %d %d";

std::string report_of(const Race& race) {
    char text[80];
    std::snprintf(text, sizeof text, format, race.kernel, race.writer, race.reader, race.threads,
                  race.blocks, race.wait ? 1 : 0, race.failures, race.launches);
    const Setting setting("RACE", text);
    const Ending ending =
        in_child([] { execl("/proc/self/exe", "cuda_on_cpu", "[.race]", nullptr); });
    INFO(text << "\n" << ending.output);
    CHECK(WIFEXITED(ending.status));
    CHECK(WEXITSTATUS(ending.status) ==
          (contains(ending.output, "ThreadSanitizer: data race") ? 66 : 0));
    return ending.output;
}
bool is_found(const Race& race) {
    return contains(report_of(race), "ThreadSanitizer: data race " __FILE__ ":");
}

}  // namespace

TEST_CASE("a kernel with a race or without", "[.race]") {
    int kernel = 0, wait = 0, failures = 0;
    Race race;
    const char* const settings = std::getenv("RACE");
    REQUIRE(settings != nullptr);
    REQUIRE(std::sscanf(settings, format, &kernel, &race.writer, &race.reader, &race.threads,
                        &race.blocks, &wait, &failures, &race.launches) == 8);
    for (int i = 0; i < failures; ++i) {
        waits_alone<<<1, 512>>>();
        cudaDeviceSynchronize();
        cudaDeviceReset();
    }
    DeviceBuffer<int> d_out(1 + race.blocks);
    d_out.fill(0);
    void (*const kernels[])(int*, unsigned, unsigned, bool) = {
        two_threads,     two_lanes,          through_global_memory, in_dynamic_memory, count_blocks,
        last_block_sums, next_block_goes_on, share_every_fourth,    past_the_end};
    for (int i = 0; i < race.launches; ++i)
        kernels[kernel]<<<race.blocks, race.threads, 16>>>(d_out.data(), race.writer, race.reader,
                                                           wait != 0);
    CHECK((cudaDeviceSynchronize() == cudaSuccess) == (kernels[kernel] != past_the_end));
}

TEST_CASE("TSan names the two lines of a missing barrier") {
    const std::string report = report_of({.kernel = 0, .writer = 3, .reader = 4, .threads = 64});
    INFO(report);
    for (const int line : {line_of_write, line_of_write + 2})
        CHECK(contains(report, "#0 two_threads " __FILE__ ":" + std::to_string(line) + " "));
}

TEST_CASE("TSan finds a race of any two threads of a block, and no other") {
    for (const auto& [writer, reader] : {std::pair{0U, 1U}, {32U, 31U}, {3U, 1023U}})
        CHECK(is_found({.writer = writer, .reader = reader}));
    CHECK(is_found({.kernel = 2, .writer = 500, .reader = 900}));
    CHECK_FALSE(is_found({.writer = 0, .reader = 1, .blocks = 3, .wait = true}));
    CHECK_FALSE(is_found({.kernel = 2, .writer = 500, .reader = 900, .blocks = 3, .wait = true}));
    // These pairs share a TSan thread in the first block or in the second.
    for (const unsigned distance : {59U, 61U, 118U, 122U, 915U, 944U})
        CHECK(is_found({.writer = 70, .reader = 70 + distance, .blocks = 2}));
}

TEST_CASE("TSan knows that __syncwarp orders the lanes of a warp, and no others") {
    const Race in_a_warp{.kernel = 1, .writer = 40, .reader = 50, .threads = 128, .blocks = 2};
    Race ordered = in_a_warp, of_two_warps = in_a_warp;
    ordered.wait = of_two_warps.wait = true;
    of_two_warps.writer = 20;
    CHECK(is_found(in_a_warp));
    CHECK_FALSE(is_found(ordered));
    CHECK(is_found(of_two_warps));
}

TEST_CASE("TSan knows that each block has different shared memory") {
    for (const int kernel : {0, 3}) {
        CHECK_FALSE(is_found({.kernel = kernel, .reader = 1, .blocks = 4, .wait = true}));
        CHECK(is_found({.kernel = kernel, .reader = 1, .blocks = 4}));
    }
}

TEST_CASE("TSan finds a counter, a sum and a lock that blocks share without an atomic or a fence") {
    for (const int kernel : {4, 5, 6})
        for (const unsigned blocks : {2U, 9U}) {
            Race race{.kernel = kernel, .writer = 3, .threads = 64, .blocks = blocks};
            CHECK(is_found(race));
            race.wait = true;
            CHECK_FALSE(is_found(race));
        }
    CHECK(is_found({.kernel = 7, .threads = 32, .blocks = 8, .launches = 16}));
}

TEST_CASE("under TSan an access past the end gives the emulator's report only") {
    const std::string report = report_of({.kernel = 8, .threads = 64, .blocks = 2});
    INFO(report);
    CHECK(contains(report, "past the end of argument 1"));
    CHECK_FALSE(contains(report, "ThreadSanitizer"));
}

TEST_CASE("TSan works after failed kernels as before") {
    CHECK_FALSE(is_found({.reader = 1, .blocks = 2, .wait = true, .failures = 20}));
    CHECK(is_found({.reader = 1, .failures = 20}));
}
#endif
