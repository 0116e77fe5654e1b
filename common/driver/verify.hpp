// SPDX-License-Identifier: MIT
// What verify compares: every filter with every border, on pictures of every type, number of
// channels and layout. The sizes include smaller than the filter, one pixel wide, one more than a
// tile; each meets each filter, border and storage, and so do the settings of a launch. Some jobs
// are met once: a large picture, the largest sums, and the awkward pictures of the variants
// (Variant::awkward). And what verify found: a count for each variant, filter and border.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/driver/expected.hpp"
#include "common/driver/interrupts.hpp"
#include "common/driver/memory.hpp"
#include "common/driver/options.hpp"
#include "common/driver/repeat.hpp"
#include "common/image/image.hpp"
#include "common/measurement/csv.hpp"
#include "common/measurement/machine.hpp"
#include "common/media/pictures.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// How a picture is stored.
struct Storage {
    PixelType type;
    int channels;
    Layout layout = Layout::interleaved;
};

/// Over 2^24 pixels: a float does not count them, nor an int the product with 300, as in the end of
/// the part of a thread, pixels * (i + 1) / threads. Quick: only for variants of one channel.
inline constexpr const char* kHuge = "random:4099x4099:22";
inline constexpr int kManyThreads = 300;

/// Which jobs.
struct VerifyScope {
    bool quick = false;        ///< smaller pictures, and half as many cases
    bool is_repeated = false;  ///< of quick: without what is the same in each order of threads
    bool is_fast = false;      ///< no emulator, which takes minutes for 2^24 pixels
};

struct VerifyPicture {
    std::string name;  ///< as option --image of `lab run` takes it
    Image image;
};

/// One job, for every variant that takes the picture. The numbers are places in the plan's lists
/// and in all_borders().
struct VerifyCase {
    std::size_t picture;
    std::size_t filter;
    std::size_t border;
    std::size_t launch;      ///< a variant takes number launch % n of its n verify_settings()
    bool is_single = false;  ///< not of the product
};

/// Variants by their places in a list, and how each is launched.
using Launches = std::vector<std::pair<std::size_t, Settings>>;

struct VerifyPlan {
    /// variants: their awkward pictures are met, too. photo: a PNG to add, or nullptr. Of an
    /// operation without filters or borders, each size is taken in each storage.
    explicit VerifyPlan(const VerifyScope& scope, const Operation& operation = {},
                        const std::vector<const Variant*>& variants = {},
                        const PictureSource* photo = nullptr);
    /// No pictures, which take long to draw: for the scene alone.
    explicit VerifyPlan(const Operation& operation);

    /// The settings of a case, for a variant.
    Settings settings(const VerifyCase& one, const Variant& variant) const;
    /// Those of the variants that take the picture of the case.
    Launches launches(const VerifyCase& one, const std::vector<const Variant*>& variants) const;
    /// Of all these launches, in multiply-adds.
    double cost(const VerifyCase& one, const std::vector<const Variant*>& variants) const;

    std::vector<VerifyPicture> pictures;
    std::vector<Filter> filters;
    std::vector<VerifyCase> cases;  ///< small pictures first

  private:
    /// Every filter with every border in every storage.
    void add_product(bool quick, const Operation& operation);
    /// In `filters`; adds it where it is not there.
    std::size_t place_of(const Filter& filter);
    /// The case, with this picture.
    void add(const std::string& name, const Storage& storage, VerifyCase one);
};

/// Which of Options::variants are launched on the scene of this size, by the type and channels in
/// which it is drawn: as bench times each variant, with all CPUs. An emulator takes minutes for all
/// sizes: there every variant gets the smallest.
std::map<std::pair<PixelType, int>, Launches> scene_launches(const Lab& lab, const Options& options,
                                                             const Size& size);

double scene_cost(const Lab& lab, const Options& options, const Size& size);

/// The operation's filters, those of any size with K 3, 5, 7, 9; the identity where it has none. Of
/// convolutions, also a Gaussian with sigma, two whose taps are all different, so that a flip or a
/// transposition shows, and one with sums far from 0..255 on both sides.
std::vector<Filter> verify_filters(const Operation& operation = {});

/// A variant that has failed this often skips the jobs that follow, except the first whose picture
/// shows_a_pattern().
inline constexpr int kEnoughFailures = 10;

/// Whether a picture of the differences is large enough to look at.
inline bool shows_a_pattern(const Image& image) {
    return image.width() >= 16 && image.height() >= 16;
}

/// Of one variant with one filter and border, over all pictures and settings.
struct Tally {
    std::int64_t jobs = 0;
    std::int64_t samples = 0;
    std::int64_t different = 0;
    std::int64_t failed = 0;
    std::int64_t unsupported = 0;
    std::int64_t without_library = 0;                    ///< of these
    std::int64_t largest_width = 0, largest_height = 0;  ///< of the pictures found identical
    std::string refusal;                                 ///< why a job was not possible
    std::map<std::string, std::int64_t> refusals;        ///< each such message, and of how many
    /// Of the failure that is first in the plan, on the smallest picture.
    std::size_t first = std::numeric_limits<std::size_t>::max();
    std::string failure;
    std::string repeat;  ///< the command that shows it again

    std::int64_t identical() const { return jobs - unsupported - failed; }
    void operator+=(const Tally& other);
    void refuse(const std::string& why);
};

class Tallies {
  public:
    Tallies(const Lab& lab, std::vector<const Variant*> variants, std::vector<Filter> filters);

    /// By their places in the lists, and in all_borders().
    Tally& at(std::size_t variant, std::size_t filter, std::size_t border);

    /// One for each variant, filter and border that was tried, with verify_columns().
    std::vector<Row> rows();
    /// On the terminal: one line for the lab, and each failure; without is_brief also a line for each
    /// variant, and why jobs were not possible. How many variants failed, or were compared with
    /// nothing; one that lacks a library does not count where others were compared.
    int print(bool is_brief);

  private:
    void print_table();
    Tally sum(std::size_t variant);
    /// Prints why jobs were not possible. Messages that differ only in numbers and names are one,
    /// with an example.
    void print_refusals();
    /// What the print says below the lab's line; nothing: it was compared, and identical.
    std::string words_of(std::size_t variant, bool& is_bad);

    const Lab& lab_;
    std::vector<const Variant*> variants_;
    std::vector<Filter> filters_;
    std::vector<Tally> tallies_;
};

/// Compares jobs with the reference, several at the same time.
class VerifyJobs {
  public:
    VerifyJobs(const Lab& lab, const Options& options) : lab_(lab), options_(options) {}

    /// Of one job of one variant, with each instruction set. Nothing: the variant has ended an
    /// earlier child with another job. picture: as option --image of `lab run` takes it. expected:
    /// asked for when the job is run.
    std::optional<Tally> compare(const Variant& variant, const Job& job, const std::string& picture,
                                 const std::function<const Expected&()>& expected);
    void say_not_compared(const std::string& why);

  private:
    /// run() with the best instruction set of this machine and, if the variant has asked for it,
    /// with each other one. text: then names the one that fails.
    std::string run_each_isa(const Variant& variant, const Job& job, std::string& text,
                             const Expected& expected, Tally& tally);
    /// Fills the tally. text describes the job. Returns how it has failed, or nothing.
    std::string run(const Variant& variant, const Job& job, const std::string& text,
                    const Expected& expected, Tally& tally);
    void draw_failure(const Variant& variant, const std::string& text, const Image& result,
                      const Image& expected);

    const Lab& lab_;
    const Options& options_;
    std::mutex mutex_;
    std::map<std::string, int> drawn_;  ///< pictures of each variant
    std::set<std::string> said_;
};

}  // namespace convolab
