// SPDX-License-Identifier: MIT
#include <chrono>
#include <vector>

#include "common/base/division.hpp"
#include "common/cuda/ceilings.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"
#include "common/measurement/statistics.hpp"

namespace convolab {
namespace {

constexpr unsigned kCopyThreads = 256;
constexpr int kCopyRuns = 15;
constexpr int kBusCopies = 16;  // back to back, so that the bus has no pause

/// 16 bytes per thread: the widest load.
__global__ void copy_16_bytes(const uint4* d_from, uint4* d_to, std::size_t count) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) d_to[i] = d_from[i];
}

/// One device's end of the bus: a buffer and a stream for each direction.
struct BusEnd {
    explicit BusEnd(std::size_t bytes) : h_in(bytes), h_out(bytes), d_in(bytes), d_out(bytes) {
        d_out.fill(0);  // no uninitialised memory is read
    }
    PinnedBuffer<unsigned char> h_in, h_out;
    DeviceBuffer<unsigned char> d_in, d_out;
    Stream in, out;
};

}  // namespace

cudaError_t find_machine_code() {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, copy_16_bytes);
}

CopySpeed fastest_copy_on_device() {
    const std::size_t vectors = static_cast<std::size_t>(kCeilingBytes / 2 / 16);
    DeviceBuffer<uint4> d_from(vectors);
    DeviceBuffer<uint4> d_to(vectors);
    d_from.fill(0);
    const auto by_runtime = [&] {
        CUDA_CHECK(cudaMemcpyAsync(d_to.data(), d_from.data(), d_from.bytes(),
                                   cudaMemcpyDeviceToDevice, nullptr));
    };
    const auto by_kernel = [&] {
        const auto blocks =
            static_cast<unsigned>(ceil_divide(static_cast<std::int64_t>(vectors), kCopyThreads));
        copy_16_bytes<<<blocks, kCopyThreads>>>(d_from.data(), d_to.data(), vectors);
        CUDA_CHECK(cudaGetLastError());
    };
    std::vector<double> runtime_ms, kernel_ms;
    for (int i = -2; i < kCopyRuns; ++i) {  // two to warm up
        const double runtime = event_ms(by_runtime);
        const double kernel = event_ms(by_kernel);
        if (i < 0) continue;
        runtime_ms.push_back(runtime);
        kernel_ms.push_back(kernel);
    }
    const double by_runtime_ms = statistics(runtime_ms).median;
    const double by_kernel_ms = statistics(kernel_ms).median;
    const bool runtime_wins = by_runtime_ms < by_kernel_ms;
    const double ms = runtime_wins ? by_runtime_ms : by_kernel_ms;
    const double moved = 2.0 * static_cast<double>(d_from.bytes());
    return {moved / (ms * 1e6), runtime_wins ? "cudaMemcpyAsync" : "kernel, 16 bytes per thread"};
}

BusSpeed speed_of_bus(int devices) {
    constexpr std::size_t size = kCeilingBytes / 2;
    std::vector<BusEnd> ends;
    for (int device = 0; device < devices; ++device) {
        const OnDevice here(device);
        const NearDevice near(device);
        ends.emplace_back(size);
    }
    const auto copies_ms = [&](bool in, bool out) {
        const auto start = std::chrono::steady_clock::now();
        for (int copy = 0; copy < kBusCopies; ++copy)
            for (BusEnd& end : ends) {
                if (in) end.d_in.upload_async(end.h_in.data(), end.in.get());
                if (out) end.d_out.download_async(end.h_out.data(), end.out.get());
            }
        for (BusEnd& end : ends) {
            end.in.wait();
            end.out.wait();
        }
        const std::chrono::duration<double, std::milli> ms =
            std::chrono::steady_clock::now() - start;
        return ms.count();
    };
    const auto gb_per_s = [&](bool in, bool out) {
        std::vector<double> ms;
        for (int i = -2; i < kCopyRuns; ++i)  // two to warm up
            if (const double once = copies_ms(in, out); i >= 0) ms.push_back(once);
        return static_cast<double>(size) * kBusCopies * devices * (in + out) /
               (statistics(ms).median * 1e6);
    };
    return {gb_per_s(true, false), gb_per_s(false, true), gb_per_s(true, true)};
}

}  // namespace convolab
