// SPDX-License-Identifier: MIT
// The machine that a lab's variants run on: names for the rows, a clock, the ceiling.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/image/image.hpp"

namespace convolab {

/// The fastest plain copy.
struct CopySpeed {
    double gb_per_s = 0;  ///< bytes read and written together
    std::string how;      ///< "16 threads, memcpy"
};

/// Copies between pinned host memory and the devices, in GB/s of all devices together.
struct BusSpeed {
    double in = 0;    ///< host to device alone
    double out = 0;   ///< device to host alone
    double both = 0;  ///< at the same time, the bytes of both directions
};

/// An 8K RGB picture read and written: what the ceilings are measured with.
inline constexpr std::int64_t kCeilingBytes = std::int64_t{2} * 7680 * 4320 * 3;

class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string name() const = 0;    ///< cpu, cuda or cuda_on_cpu
    virtual std::string device() const = 0;  ///< the model that does the work
    virtual std::string driver() const = 0;  ///< empty for a CPU
    virtual int gpus() const { return 0; }   ///< the GPUs that the program sees
    /// The GPU's clocks, current and maximum: "SM 1980 of 1980 MHz, memory 3201 of 3201 MHz".
    virtual std::string gpu_clocks() const { return ""; }
    /// "1b2c3d4e 5f607182": what tells these GPUs from others of their model.
    virtual std::string gpu_uuid() const { return ""; }
    /// The CPUs next to the first GPU; empty without a GPU, or if the machine does not show them.
    virtual std::vector<int> near_cpus() const { return {}; }
    /// False if an error has made the GPU useless for the rest of this process.
    virtual bool works() { return true; }
    /// False for an emulator: its rows carry no times.
    virtual bool is_timed() const = 0;
    /// True if several convolvers may run at once on different threads.
    virtual bool is_concurrent() const = 0;
    /// Milliseconds of one call. On a GPU they are taken from event to event on the default stream,
    /// so all work that the call put there is finished.
    virtual double time_ms(const std::function<void()>& work) = 0;
    /// The fastest copy of kCeilingBytes, by all cores or by the whole GPU. Measured once, as is the
    /// bus.
    virtual CopySpeed copy_speed() = 0;
    /// The bus's speed for copies of an 8K picture, back to back, on this many devices at a time.
    virtual BusSpeed bus_speed(int /*devices*/) { return {}; }
    /// The image in memory that the device can copy from and to while the host continues.
    virtual Image pinned(const Image& image) { return image.copy(); }
    /// Makes the next run start with cold caches; has finished when it returns.
    virtual void flush_cache() = 0;
    /// Free memory of the device in bytes; the driver checks the host's memory.
    virtual std::optional<std::int64_t> device_memory_free() { return {}; }
};

}  // namespace convolab
