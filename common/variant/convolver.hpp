// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The contract between a lab's variants and the driver: a Job says what to compute, a Convolver is
// one variant bound to one job, a Variant is its entry in the lab's list, a Backend is the machine
// that it runs on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/image/image.hpp"
#include "common/measurement/copy_speed.hpp"
#include "common/variant/frame_stream.hpp"
#include "common/variant/settings.hpp"

namespace convolab {

/// What to compute. The images outlive the job and everything made from it.
struct Job {
    std::vector<const Image*>
        frames;  ///< one image; video labs: the previous frame, then the current
    Filter filter;
    Border border;
    Settings settings;

    const Image& image() const { return *frames.front(); }
    /// Size of a convolution's output: the image's, with border `valid` K - 1 less.
    std::int64_t out_width() const { return image().width() - lost(); }
    std::int64_t out_height() const { return image().height() - lost(); }

  private:
    int lost() const { return border.rule == BorderRule::valid ? filter.ksize() - 1 : 0; }
};

/// Resources of the variant's main kernel on a GPU, for its row; nothing on a CPU.
struct KernelResources {
    std::optional<int> registers;     ///< per thread
    std::optional<int> shared_bytes;  ///< per block, static and dynamic
    std::optional<double> occupancy;  ///< resident warps / maximum resident warps, 0..1
};

/// Where the ranks of a run spent its time, in ms: of each part, that of the rank with the most.
struct RankTimes {
    double compute_ms = 0;
    double exchange_ms = 0;  ///< in calls that send, receive, read or write
    double wait_ms = 0;      ///< for other ranks
};

/// A step of one run, timed by events of its stream; milliseconds since the run's first step.
struct Span {
    int device;
    int stream;        ///< of the device, in the order of their first use
    int part;          ///< number of the band or frame
    std::string what;  ///< copy in, filter, copy out
    double start_ms;   ///< when its stream reached it: it may then have waited for the bus
    double end_ms;
};

/// One variant, bound to one job. The constructor does what the reports leave untimed: padding,
/// conversion, allocation.
///
/// Only the variant waits for the device: the driver calls upload(), run(), download(), and then
/// reads result(). So
///   - where Variant::run_copies is set, run() has waited, on the host, for its last copy: the clock
///     of total_ms stops after it, and the result is read after it;
///   - elsewhere run() need not wait, but all of its work is on the default stream, or ordered
///     before what that stream does next: the events of kernel_ms are recorded there, and
///     download() waits for it;
///   - download() and poison() have finished when they return; so has upload(), or the default stream has
///     its work before all that follows.
class Convolver {
  public:
    virtual ~Convolver() = default;
    virtual void upload() {}  ///< host to device; timed in total_ms only
    /// Video: the job's images are now the next pair of frames, whose previous frame was the
    /// current one. Copies to the device what it does not have.
    virtual void next_frame() { upload(); }
    /// Video: this convolver with several frames in flight; nullptr: it works on one at a time.
    virtual std::unique_ptr<FrameStream> stream() { return nullptr; }
    /// Before a timed run: brings back an input that the run before has overwritten. Not timed.
    virtual void renew() {}
    virtual void run() = 0;            ///< the convolution; timed in kernel_ms
    virtual void download() {}         ///< device to host; timed in total_ms only
    virtual Image result() const = 0;  ///< the output, in any type and layout; not timed
    virtual void poison() = 0;         ///< overwrites every output sample; not timed
    virtual KernelResources resources() const { return {}; }
    virtual int frames_per_run() const { return 1; }  ///< times are divided by it
    virtual int devices() const { return 1; }         ///< GPUs that take part
    /// Of the last run; nothing: no ranks took part.
    virtual std::optional<RankTimes> rank_times() const { return {}; }
    /// One run with the time of each of its steps; empty: the variant does not know them.
    virtual std::vector<Span> timeline() { return {}; }
};

/// The output of one run: poison, upload, run, download. The poison shows samples that are
/// never written. run: called in place of convolver.run().
Image output_of(Convolver& convolver, const std::function<void()>& run);
Image output_of(Convolver& convolver);

/// Memory a variant allocates for a job, in bytes.
struct MemoryNeed {
    std::int64_t host = 0;
    std::int64_t device = 0;
};

class Backend;
struct Operation;

/// An entry of a lab's list.
struct Variant {
    std::string name;
    std::string idea;  ///< one line for `lab list`
    /// Throws Unsupported, in one sentence, for a job that it cannot do.
    std::function<std::unique_ptr<Convolver>(const Job&)> make = {};
    unsigned uses = kUsesNothing;
    /// run() brings the image to the device and back: its rows have no kernel_ms, total_ms is what
    /// counts, and the ceiling is the bus.
    bool run_copies = false;
    /// It copies asynchronously, so bench gives it frames in pinned memory.
    bool pinned_frames = false;
    /// Pixel types and channels it is made for; the first of each is what `bench` times.
    std::vector<PixelType> types = {PixelType::uint8};
    std::vector<int> channels = {3, 1, 4};
    /// Bytes it allocates; without: a copy of the input and one of the output.
    std::function<MemoryNeed(const Job&)> memory = {};
    /// What it runs on, where that is not what the lab runs on.
    Backend* backend = nullptr;
    /// What it computes, where that is not what the lab computes.
    const Operation* operation = nullptr;
};

/// The settings that change what a variant computes: how many filters follow each other.
inline int filters_of(const Variant& variant, const Settings& settings) {
    return variant.uses & kUsesFilters  ? settings.filters
           : variant.uses & kUsesPasses ? settings.passes
                                        : 1;
}

/// Whether the variant is made for the image's type and channels.
bool takes(const Variant& variant, const Image& image);

/// variant.make(job), or Unsupported with the reason where the variant does not take the image.
std::unique_ptr<Convolver> make_convolver(const Variant& variant, const Job& job);

/// Copies between pinned host memory and the devices, in GB/s of all devices together.
struct BusSpeed {
    double in = 0;    ///< host to device alone
    double out = 0;   ///< device to host alone
    double both = 0;  ///< at the same time, the bytes of both directions
};

/// An 8K RGB picture read and written: what the ceilings are measured with.
inline constexpr std::int64_t kCeilingBytes = std::int64_t{2} * 7680 * 4320 * 3;

/// The machine a lab's variants run on: names for the rows, a clock, the ceiling.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string name() const = 0;    ///< cpu, cuda or cuda_on_cpu
    virtual std::string device() const = 0;  ///< the model that does the work
    virtual std::string driver() const = 0;  ///< empty for a CPU
    virtual int gpus() const { return 0; }   ///< that the program sees
    /// The GPU's clocks, current and maximum: "SM 1980 of 1980 MHz, memory 3201 of 3201 MHz".
    virtual std::string gpu_clocks() const { return ""; }
    /// Whether the first `gpus` GPUs run slower than before: a clock below 97 % of the highest that this
    /// call has seen, or held down by the driver. Nothing where the machine does not show it.
    virtual std::optional<bool> are_slowed(int /*gpus*/) { return {}; }
    /// The CPUs next to the first GPU; empty where there is none or the machine does not show it.
    virtual std::vector<int> near_cpus() const { return {}; }
    /// False where an error has made the GPU useless for the rest of this process.
    virtual bool works() { return true; }
    /// False for an emulator: its rows carry no times.
    virtual bool is_timed() const = 0;
    /// True where several convolvers may run at once on different threads.
    virtual bool is_concurrent() const = 0;
    /// Milliseconds of one call. On a GPU from event to event on the default stream, so all that
    /// the call put there is finished.
    virtual double time_ms(const std::function<void()>& work) = 0;
    /// The fastest copy of kCeilingBytes, by all cores or by the whole GPU.
    virtual CopySpeed copy_speed() = 0;
    /// Speed of the bus for copies of an 8K picture, back to back, on so many devices at a time.
    virtual BusSpeed bus_speed(int /*devices*/) { return {}; }
    /// The image in memory that the device can copy from and to while the host continues.
    virtual Image pinned(const Image& image) { return image; }
    /// Makes the next run start with cold caches; has finished when it returns.
    virtual void flush_cache() = 0;
    /// Free memory of the device in bytes; host memory is the driver's business.
    virtual std::optional<std::int64_t> device_memory_free() { return {}; }
};

/// Labs 01 and 02.
Backend& cpu_backend();

}  // namespace convolab
