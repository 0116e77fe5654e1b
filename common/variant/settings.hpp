// SPDX-License-Identifier: MIT
// The table kSettings describes each setting completely. The options, the sweeps of bench, the
// columns of the results, the messages and verify read it, so a new setting is one member of Settings
// and one line.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

namespace convolab {

/// How a variant is launched; each reads the settings that it declares in Variant::uses.
struct Settings {
    int threads = 1;
    int block = 16;  ///< side of a block: of pixels on the CPU, of threads on a GPU
    int streams = 3;
    int bands = 0;  ///< of an image, copied one by one; 0: one per stream
    int in_flight = 3;
    int frames = 32;
    int block_threads = 1024;
    int kernel = 2;   ///< labs 06 and 11: 1 the plain one, 2 the packed one
    int filters = 4;  ///< of a chain
    int ranks = 1;
    int passes = 1;  ///< of the same filter
    int halo_passes = 4;
    int devices = 0;  ///< GPUs that take part; 0: all

    int bands_or_streams() const { return bands > 0 ? bands : streams; }
};

/// Which settings change what a variant does: only those are swept and written in its rows.
enum Uses : unsigned {
    kUsesNothing = 0,
    kUsesThreads = 1,
    kUsesBlock = 2,
    kUsesStreams = 4,
    kUsesBands = 8,
    kUsesFrames = 16,  ///< in_flight and frames
    kUsesBlockThreads = 32,
    kUsesKernel = 64,
    kUsesFilters = 128,
    kUsesRanks = 256,
    kUsesPasses = 512,
    kUsesHaloPasses = 1024,
    kUsesDevices = 2048
};

/// A member of Settings. By this name, because nvcc writes `int Settings::*x` in another way, which
/// g++ warns about.
using SettingValue = int Settings::*;

/// What verify launches a variant with, one after the other.
class VerifyValues {
  public:
    template <class... Values>
    constexpr VerifyValues(Values... values) : values_{values...}, size_(sizeof...(values)) {}
    constexpr std::size_t size() const { return size_; }
    constexpr int operator[](std::size_t i) const { return values_[i % size_]; }

  private:
    std::array<int, 7> values_;
    std::size_t size_;
};

struct Setting {
    const char* name;  ///< in the column `settings`; the option is written with - for _
    SettingValue value;
    Uses use;
    const char* meaning;
    const char* standard;        ///< the default as a text; "" for the member's value
    VerifyValues verify_values;  ///< verify's i-th launch takes the i-th value of every setting
};

inline constexpr Setting kSettings[] = {
    {"threads", &Settings::threads, kUsesThreads, "CPU threads", "all CPUs", {1, 3, 2, 4}},
    {"block", &Settings::block, kUsesBlock, "pixels or threads per side", "", {16, 8, 32, 5}},
    {"streams", &Settings::streams, kUsesStreams, "CUDA streams", "", {3, 1, 8, 2}},
    {"bands", &Settings::bands, kUsesBands, "bands per image", "one per stream", {0, 0, 0, 5}},
    {"in_flight", &Settings::in_flight, kUsesFrames, "frames in flight", "", {3, 2, 1, 3}},
    {"frames", &Settings::frames, kUsesFrames, "frames per run and device", "", {7, 1, 2, 4}},
    {"block_threads",
     &Settings::block_threads,
     kUsesBlockThreads,
     "threads of the one block",
     "",
     {64, 1, 37, 256}},
    {"kernel", &Settings::kernel, kUsesKernel, "1: plain, 2: packed", "", {2, 1, 2, 1}},
    {"filters", &Settings::filters, kUsesFilters, "filters one after the other", "", {2, 1, 3, 4}},
    {"ranks",
     &Settings::ranks,
     kUsesRanks,
     "MPI ranks",
     "those that mpirun or srun has started, else the physical cores",
     {2, 3, 1, 5, 7, 4, 6}},
    {"passes",
     &Settings::passes,
     kUsesPasses,
     "passes of the filter, one after the other",
     "",
     {2, 1, 5, 1, 2, 5, 2}},
    {"halo_passes",
     &Settings::halo_passes,
     kUsesHaloPasses,
     "passes from one exchange of halos to the next",
     "",
     {2, 4, 3, 1, 2, 4, 1}},
    {"devices", &Settings::devices, kUsesDevices, "GPUs that compute", "all", {0, 1, 0, 0}},
};
static_assert(sizeof(Settings) == std::size(kSettings) * sizeof(int),
              "every member of Settings has its line in kSettings");

/// A list of values for each line of kSettings.
using SettingLists = std::array<std::vector<int>, std::size(kSettings)>;

/// "--in-flight"
std::string option_name(const Setting& setting);

/// Every combination of the listed values of the settings in `uses`; the others are 0.
std::vector<Settings> combinations(unsigned uses, const SettingLists& lists);

/// The settings with which verify launches a variant: odd and even, 1, more than a tile.
std::vector<Settings> verify_settings(unsigned uses);

/// The settings in `uses`, for a person: "threads 3, block 5"; "" for none.
std::string describe(const Settings& settings, unsigned uses);
/// The same for the column `settings`: "threads=3 block=5".
std::string to_words(const Settings& settings, unsigned uses);

}  // namespace convolab
