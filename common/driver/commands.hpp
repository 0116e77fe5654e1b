// SPDX-License-Identifier: MIT
// The verbs of a lab, each in the file of its name, and what they share.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/driver/options.hpp"
#include "common/image/sizes.hpp"
#include "common/measurement/csv.hpp"
#include "common/media/pictures.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// All return the exit code.
int run_command(const Lab& lab, const Options& options);
int run_clip_command(const Lab& lab, const Options& options);  ///< run, of a clip
int bench_command(const Lab& lab, const Options& options);
int verify_command(const Lab& lab, const Options& options);
int timeline_command(const Lab& lab, const Options& options);

/// Set by SIGINT or SIGTERM; the commands end after the current iteration.
bool interrupted();
/// 128 + the signal's number.
int interrupted_exit_code();
void catch_interrupts();

/// Seconds of a run by a slow variant on an emulator. taps: samples times taps of each.
constexpr double slow_run_s(double taps) { return 1.5e-8 * taps; }

/// The columns that say which program made a row, on what machine, and when.
Row origin_row(const Lab& lab, const Variant& variant);

/// Whether a job fits is asked before memory is taken: what Variant::memory says; without it, image
/// and output.
MemoryNeed memory_need(const Variant& variant, const Job& job);

/// Throws Skipped, with both numbers, where host or device have less free memory than that.
void require_memory(const Lab& lab, const Variant& variant, const Job& job);

/// The same for the pictures of a job, drawn at this size, and what the reference makes of them.
void require_picture_memory(const Size& size, int channels, PixelType type, int frames);

/// Of run: " (the lab's best; --variant names another), identical to the reference", what of it is
/// so.
std::string how_it_ran(const Options& options);

/// The reference's output of a job; computed once, for all variants.
struct Expected {
    Expected() = default;
    Expected(const Operation& operation, const Job& job);

    std::optional<Image> image;  ///< none: the reference does not support it
    double allowed = 0;          ///< difference of a sample
};

/// Why a variant failed that threw a number, for example.
inline constexpr const char* kNoException = "It threw something that is not a std::exception.";

/// Throws Error if the variant accepts a job that the reference does not support.
Comparison compare(const Image& result, const Expected& expected);

/// "gaussian 5x5, border replicate, random:17x31:48, 3 channels, uint8, planar, block 8"; without
/// the filter and the border where the operation has none.
std::string describe(const Operation& operation, const Variant& variant, const Job& job,
                     const std::string& picture);

/// The `lab run ... --check` that does this job of one image again. picture: as option --image
/// takes it.
std::string repeat_command(const std::string& program, const Variant& variant, const Job& job,
                           const std::string& picture);

/// The `lab verify` that compares this variant again, on pairs of frames.
std::string repeat_command(const Options& options, const Variant& variant);

/// What one row measures.
struct Task {
    const Variant* variant;
    Size size;
    int ksize;  ///< 0: the filter's own
    Settings settings;
};

/// "rows 4k, threads 8"
std::string describe(const Task& task);

/// The frames, and the output that is right for them; computed once for all variants.
struct Case {
    std::vector<Image> frames;
    Expected expected;
    Expected backward;  ///< of two frames in the other order
};

class Tasks {
  public:
    /// Reads the picture that the options name: throws Error or UsageError.
    Tasks(const Lab& lab, const Options& options);

    PixelType type_of(const Task& task) const {
        return options_.type.value_or(task.variant->types.front());
    }
    int channels_of(const Task& task) const {
        return options_.channels.value_or(task.variant->channels.front());
    }
    /// The key columns of the task's row, except the layout: that depends on the variant.
    Row key(const Task& task) const;
    Job job(const Task& task, const std::vector<Image>& frames) const;
    std::vector<Image> frames(const Size& size, int channels, PixelType type) const;
    /// What one run takes at most, even on an emulator.
    double expected_s(const Task& task) const;
    /// Those of the last size are kept. Throws Skipped where the memory is short.
    const Case& truth(const Task& task);

  private:
    /// Tasks of one size with the same key share a Case.
    using CaseKey = std::pair<const Operation*, std::string>;
    CaseKey case_key(const Task& task) const;

    const Lab& lab_;
    const Options& options_;
    PictureSource source_;
    std::map<CaseKey, Case> cases_;  // of one size
    std::string cases_size_;
};

}  // namespace convolab
