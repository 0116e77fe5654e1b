// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "common/base/division.hpp"
#include "common/cuda/backend.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/event_timer.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/near_device.hpp"
#include "common/cuda/nvml.hpp"
#include "common/cuda/on_device.hpp"
#include "common/cuda/stream.hpp"
#include "common/measurement/statistics.hpp"

namespace convolab {
namespace {

constexpr unsigned kCopyThreads = 256;
constexpr int kCopyRuns = 15;
constexpr int kBusCopies = 16;  // back to back, so that the bus has no pause

/// 16 bytes a thread: as wide as one load can be.
__global__ void copy_16_bytes(const uint4* d_from, uint4* d_to, std::size_t count) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) d_to[i] = d_from[i];
}

double event_ms(const std::function<void()>& work) {
    EventTimer timer;
    timer.start();
    work();
    timer.stop();
    return static_cast<double>(timer.milliseconds());
}

/// The driver takes small allocations from a larger block and frees that block with the last of them.
/// As long as one byte of each kind stays allocated, the block stays too, and an allocation takes a
/// fraction of the time: `verify` makes very many.
struct KeptBytes {
    DeviceBuffer<unsigned char> d_byte{1};
    PinnedBuffer<unsigned char> h_byte{1};
};

class CudaBackend final : public Backend {
  public:
#ifdef CUDA_ON_CPU
    std::string name() const override { return "cuda_on_cpu"; }
    bool is_timed() const override { return false; }
#else
    std::string name() const override { return "cuda"; }
    bool is_timed() const override { return true; }
#endif
    bool is_concurrent() const override { return false; }

    std::string device() const override { return device_count() == 0 ? "" : device_info().name; }

    std::string driver() const override {
        if (device_count() == 0) return "";
        const std::string version = nvml_driver_version();
        return "CUDA " + device_info().driver + (version.empty() ? "" : ", driver " + version);
    }
    int gpus() const override { return device_count(); }
    std::string gpu_clocks() const override {
        return device_count() == 0 ? "" : to_string(nvml_clocks(pci_bus_id(0)));
    }

    double time_ms(const std::function<void()>& work) override {
        require_gpu();
        return event_ms(work);
    }

    CopySpeed copy_speed() override;
    BusSpeed bus_speed(int devices) override;
    void flush_cache() override;
    void keep_blocks() { kept_.emplace(); }

    std::optional<std::int64_t> device_memory_free() override {
        if (device_count() == 0) return {};
        std::size_t free_bytes = 0;
        std::size_t total_bytes = 0;
        CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
        return static_cast<std::int64_t>(free_bytes);
    }

  private:
    DeviceBuffer<unsigned char> flush_;
    std::optional<KeptBytes> kept_;
};

/// The faster of the runtime's copy and ours.
CopySpeed CudaBackend::copy_speed() {
    require_gpu();
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

/// One device's end of the bus: a buffer and a stream for each direction.
struct BusEnd {
    explicit BusEnd(std::size_t bytes) : h_in(bytes), h_out(bytes), d_in(bytes), d_out(bytes) {
        d_out.fill(0);  // nothing is read that nobody wrote
    }
    PinnedBuffer<unsigned char> h_in, h_out;
    DeviceBuffer<unsigned char> d_in, d_out;
    Stream in, out;
};

/// On the host's clock, which several devices share; so many copies that its calls do not count.
BusSpeed CudaBackend::bus_speed(int devices) {
    require_gpu();
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

/// Writes twice the L2 cache, so that no line of the image is left in it.
void CudaBackend::flush_cache() {
    require_gpu();
    if (flush_.size() == 0)
        flush_ =
            DeviceBuffer<unsigned char>(2 * std::max<std::size_t>(device_info().l2_cache_bytes, 1));
    flush_.fill(0);
    CUDA_CHECK(cudaStreamSynchronize(nullptr));  // no part of it in the next time
}

CudaBackend& the_backend() {
    static CudaBackend& backend = *new CudaBackend;  // never freed: at exit the runtime may be gone
    return backend;
}

}  // namespace

void require_gpu() {
    static const bool usable = [] {  // once: it does not change
        require_device();
        cudaFuncAttributes attributes{};
        const cudaError_t error = cudaFuncGetAttributes(&attributes, copy_16_bytes);
        check(error == cudaErrorInvalidDeviceFunction ? cudaErrorNoKernelImageForDevice : error,
              "The search for machine code for this GPU");
        the_backend().keep_blocks();
        return true;
    }();
    static_cast<void>(usable);
}

Backend& gpu_backend() { return the_backend(); }

}  // namespace convolab
