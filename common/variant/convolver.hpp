// SPDX-License-Identifier: MIT
// The contract between a lab's variants and the driver: a Convolver is one variant bound to one
// job, a Variant is its entry in the lab's list.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/image/image.hpp"
#include "common/variant/job.hpp"
#include "common/variant/settings.hpp"

namespace convolab {

/// A clip through a variant that compares two frames, with several frames in flight: one is copied
/// in while another is computed and a third is copied out.
class FrameStream {
  public:
    /// Milliseconds of each step, of all frames together.
    struct Times {
        double copy_in = 0, kernel = 0, copy_out = 0;
    };

    virtual ~FrameStream() = default;
    /// Takes the clip's next frame. Gives the output of the pair before, if there is one: it lags
    /// one frame behind.
    virtual std::optional<Image> next(const Image& frame) = 0;
    /// After the last frame: the output that is still missing.
    virtual std::optional<Image> finish() = 0;
    /// Of the outputs that were given.
    virtual Times times() const = 0;
};

/// Resources of the variant's main kernel on a GPU, for its row; nothing on a CPU.
struct KernelResources {
    std::optional<int> registers = {};     ///< per thread
    std::optional<int> shared_bytes = {};  ///< per block, static and dynamic
    std::optional<double> occupancy = {};  ///< resident warps / maximum resident warps, 0..1
    std::string form = {};                 ///< which kernel, if the variant chooses one for the job
};

/// How the ranks of a run spent the time, in ms. Each part is the time of the rank that needed
/// most.
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
///   - where Variant::run_copies is set, run() has waited, on the host, for its last copy: the
///     clock of total_ms stops after it, and the result is read after it;
///   - elsewhere run() need not wait, but all of its work is on the default stream, or ordered
///     before what that stream does next: the events of kernel_ms are recorded there, and
///     download() waits for it;
///   - download() and poison() have finished when they return; so has upload(), or the default
///     stream has its work before all that follows.
class Convolver {
  public:
    virtual ~Convolver() = default;
    virtual void upload() {}  ///< host to device; timed in total_ms only
    /// Video: the job's images are now the next pair of frames, whose previous frame was the
    /// current one. Copies to the device what it does not have.
    virtual void next_frame() { upload(); }
    /// Video: this convolver with several frames in flight; nullptr: it works on one at a time.
    virtual std::unique_ptr<FrameStream> stream() { return nullptr; }
    /// Before a timed run: restores an input that the run before has overwritten. Not timed.
    virtual void restore_input() {}
    virtual void run() = 0;     ///< the convolution; timed in kernel_ms
    virtual void download() {}  ///< device to host; timed in total_ms only
    /// The output of the last run, in any type and layout, until the next one; not timed.
    virtual const Image& result() = 0;
    virtual void poison() = 0;  ///< overwrites every output sample; not timed
    virtual KernelResources resources() const { return {}; }
    virtual int frames_per_run() const { return 1; }  ///< times are divided by it
    virtual int devices() const { return 1; }         ///< GPUs that take part
    /// Of the last run; nothing: no ranks took part.
    virtual std::optional<RankTimes> rank_times() const { return {}; }
    /// One run with the time of each of its steps; empty: the variant does not know them.
    virtual std::vector<Span> timeline() { return {}; }
};

/// The output of one run: poison, upload, run, download. The poison shows samples that are
/// never written. It is the convolver's. run: called in place of convolver.run().
const Image& output_of(Convolver& convolver, const std::function<void()>& run);
const Image& output_of(Convolver& convolver);

/// Memory a variant allocates for a job, in bytes.
struct MemoryNeed {
    std::int64_t host = 0;
    std::int64_t device = 0;
};

/// A picture on which a variant's code takes a way that others do not show: it ends a little after a
/// strip, or fills a ring again.
struct AwkwardPicture {
    const char* picture;  ///< as option --image of `lab run` takes it; uint8
    int channels = 3;
    std::vector<int> sides = {3, 5, 7, 9};  ///< of the box filter, where the lab has filters
    bool each_border = false;               ///< else `replicate`
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
    /// What verify compares beside the pictures that every variant gets.
    std::vector<AwkwardPicture> awkward = {};
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

}  // namespace convolab
