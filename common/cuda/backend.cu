// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "common/cuda/backend.hpp"
#include "common/cuda/ceilings.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/stream.hpp"

namespace convolab {
namespace {

/// The driver takes small allocations from a larger block and frees that block with the last of
/// them. As long as one byte of each kind stays allocated, the block stays too, and an allocation
/// takes a fraction of the time: `verify` makes very many.
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
    bool works() override;
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
    std::string gpu_uuid() const override {
        std::string all;
        for (int device = 0; device < device_count(); ++device)
            all += (device == 0 ? "" : " ") + nvml_uuid(pci_bus_id(device));
        return all;
    }

    std::vector<int> near_cpus() const override {
        return device_count() == 0 ? std::vector<int>{} : cpus_near(0);
    }

    double time_ms(const std::function<void()>& work) override {
        require_gpu();
        return event_ms(work);
    }

    CopySpeed copy_speed() override {
        require_gpu();
        if (!copy_) copy_ = fastest_copy_on_device();
        return *copy_;
    }
    BusSpeed bus_speed(int devices) override {
        require_gpu();
        const auto found = buses_.find(devices);
        return found != buses_.end() ? found->second : buses_[devices] = speed_of_bus(devices);
    }
    void flush_cache() override;
    Image pinned(const Image& image) override;
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
    std::optional<CopySpeed> copy_;
    std::map<int, BusSpeed> buses_;  // by the number of devices
    std::optional<KeptBytes> kept_;
};

/// An illegal address, for example, is an error of every later call, on the device where it
/// happened.
bool CudaBackend::works() {
    int current = 0;
    bool all = cudaGetDevice(&current) == cudaSuccess;
    for (int device = 0; all && device < device_count(); ++device)
        all = cudaSetDevice(device) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
    return all && cudaSetDevice(current) == cudaSuccess;
}

Image CudaBackend::pinned(const Image& image) {
    PinnedBuffer<std::byte> memory(image.bytes());
    Image copy = image.in_memory(
        memory.data(), [](std::byte* pinned) { static_cast<void>(cudaFreeHost(pinned)); });
    memory.release();
    return copy;
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
        const cudaError_t error = find_machine_code();
        check(error == cudaErrorInvalidDeviceFunction ? cudaErrorNoKernelImageForDevice : error,
              "The search for machine code for this GPU");
        the_backend().keep_blocks();
        return true;
    }();
    static_cast<void>(usable);
}

Backend& gpu_backend() { return the_backend(); }

}  // namespace convolab
