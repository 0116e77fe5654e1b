// SPDX-License-Identifier: MIT
// Indices past the end of arrays of known size: tiles in shared memory, local arrays, constant
// memory.
#include "helpers.hpp"

namespace {

__constant__ float c_taps[9];

constexpr int line_of_defect = __LINE__ + 6;
__global__ void tile_without_its_halo(const float* in, float* out) {
    __shared__ float s_tile[8];
    const int x = static_cast<int>(threadIdx.x);
    s_tile[x] = in[x];
    __syncthreads();
    out[x] = s_tile[x] + s_tile[x + 1];  // the defect: the last thread's neighbour
}
__global__ void tile_of_rows(float* out, int x) {
    __shared__ float s_tile[4][5];
    for (auto& row : s_tile)
        for (float& value : row) value = 1;
    s_tile[1][x] = 2;  // in another row it would be in the tile
    out[0] = s_tile[2][0];
}
__global__ void taps_past_the_filter(float* out, int taps) {
    float sum = 0;
    for (int i = 0; i < taps; ++i) sum += c_taps[i];
    out[0] = sum;
}
[[maybe_unused]] __global__ void local_array(float* out, int i) {
    float sums[4] = {1, 2, 3, 4};
    sums[i] += 1;
    out[0] = sums[0] + sums[3];
}

cudaError_t finish() { return cudaDeviceSynchronize(); }
bool reported(const std::string& text) {
    INFO(cuda_on_cpu::last_report());
    CHECK(contains(cuda_on_cpu::last_report(), text));
    return contains(cuda_on_cpu::last_report(), text);
}

}  // namespace

TEST_CASE("an index past the end of a tile in shared memory is found") {
    const FreshDevice fresh;
    DeviceBuffer<float> d_in(9), d_out(9);
    d_in.fill(0);
    tile_without_its_halo<<<1, 7>>>(d_in.data(), d_out.data());
    CHECK(finish() == cudaSuccess);
    tile_without_its_halo<<<1, 8>>>(d_in.data(), d_out.data());
    CHECK(finish() == cudaErrorIllegalAddress);
    CHECK(
        reported("block (0,0,0) of (1,1,1): thread (7,0,0) uses element 8 of s_tile, an array "
                 "'float[8]', at "));
    CHECK(reported(__FILE__ ":" + std::to_string(line_of_defect)));
}

TEST_CASE("so is one past a row of it, past constant memory, or before a local array") {
    for (const int x : {4, 5}) {
        const FreshDevice fresh;
        DeviceBuffer<float> d_value(1);
        tile_of_rows<<<1, 1>>>(d_value.data(), x);
        CHECK(finish() == (x < 5 ? cudaSuccess : cudaErrorIllegalAddress));
        if (x == 5) CHECK(reported("uses element 5 of s_tile"));
    }
    for (const int taps : {9, 10}) {
        const FreshDevice fresh;
        DeviceBuffer<float> d_value(1);
        taps_past_the_filter<<<1, 1>>>(d_value.data(), taps);
        CHECK(finish() == (taps < 10 ? cudaSuccess : cudaErrorIllegalAddress));
        if (taps == 10) CHECK(reported("uses element 9 of c_taps, an array 'float[9]'"));
    }
#ifndef BUILT_WITH_ASAN  // ASan finds it first
    for (const int i : {3, -1}) {
        const FreshDevice fresh;
        DeviceBuffer<float> d_value(1);
        local_array<<<1, 1>>>(d_value.data(), i);
        CHECK(finish() == (i > 0 ? cudaSuccess : cudaErrorIllegalAddress));
        if (i < 0) CHECK(reported("uses element -1 of sums, an array 'float[4]'"));
    }
#endif
}
