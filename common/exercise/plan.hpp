// SPDX-License-Identifier: MIT
// The pictures that an answer gets, drawn from a seed: the program of the answer and the judge draw
// the same. And what that program tells the judge of a picture (Record).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/exercise/exercise.hpp"

namespace convolab::exercise {

/// The exit code of an answer that starts another process while it is timed.
inline constexpr int kAnotherProcess = 3;

/// From `from` on, fewer than `more` more.
inline int drawn_from(int from, int more, std::mt19937& draw) {
    return from + static_cast<int>(draw() % more);
}

/// Larger than 16k, twice the largest size of the labs; the emulator needs long for even more.
#ifdef __CUDACC__
inline constexpr Size kLarge{16385, 8641};
#else
inline constexpr Size kLarge{32769, 8641};
#endif

/// Larger in both directions, but never in both at once: arrays and grids for a fixed size are too
/// small for one of them.
inline std::vector<Size> any_sizes(std::mt19937& draw) {
    return {{drawn_from(33, 30, draw), drawn_from(17, 23, draw)},
            {drawn_from(65, 120, draw), drawn_from(36, 52, draw)},
            {drawn_from(2, 6, draw), drawn_from(2, 4, draw)},
            {drawn_from(kLarge.width, 3999, draw), drawn_from(2, 2, draw)},
            {drawn_from(2, 4, draw), drawn_from(kLarge.height, 499, draw)}};
}

/// `mode` is bytes, races, count or time. ThreadSanitizer is slow to start a thread, so pictures
/// have fewer rows for it: an answer may start one for each.
template <class T>
std::vector<Drawn> plan(const Exercise<T>& exercise, const std::string& mode, unsigned seed) {
    std::mt19937 draw(seed);
    std::vector<Drawn> all;
    const auto add = [&](Size size, bool is_impulse = false) {
        const int turn = static_cast<int>(all.size());
        all.push_back({turn, size, static_cast<unsigned>(draw()), is_impulse});
    };
    if (mode == "count") {
        draw.discard(10);  // other sizes than those of the bytes
        for (const Size size : exercise.counted_sizes)
            add({drawn_from(size.width, size.width / 4, draw),
                 drawn_from(size.height, size.height / 4, draw)});
    } else if (mode == "time") {
        const Size size = exercise.timed(draw);
        for (int run = 0; run < 3 * exercise.timed_runs; ++run) add(size);
        // One that fills no array for an 8k picture, but is greater.
        add({drawn_from(7681, 64, draw), drawn_from(4321, 32, draw)});
    } else {
        const auto sizes = exercise.sizes ? exercise.sizes(draw) : any_sizes(draw);
        for (const Size size : sizes)
            add({size.width, mode == "races" ? std::min(size.height, 1031) : size.height});
        add(sizes[0], true);  // another picture: an answer may not keep what it gave before
    }
    return all;
}

template <class T>
struct Record {
    std::int64_t turn = -1;
    double seconds = -1;          ///< if the exercise measures them itself
    std::vector<double> counted;  ///< for each goal
    std::uint8_t keeps_input = 0;
    std::vector<T> out;
};

template <class T>
void write_values(std::FILE* file, const T* values, std::size_t count) {
    if (count > 0) std::fwrite(values, sizeof(T), count, file);
}

template <class T>
void write_vector(std::FILE* file, const std::vector<T>& values) {
    const std::uint64_t count = values.size();
    write_values(file, &count, 1);
    write_values(file, values.data(), count);
}

template <class T>
void write_record(std::FILE* file, const Record<T>& record) {
    write_values(file, &record.turn, 1);
    write_values(file, &record.seconds, 1);
    write_vector(file, record.counted);
    write_values(file, &record.keeps_input, 1);
    write_vector(file, record.out);
}

/// Whether the file has this number of values.
template <class T>
bool read_vector(std::FILE* file, std::vector<T>& values, std::size_t wanted) {
    std::uint64_t count = 0;
    if (std::fread(&count, sizeof count, 1, file) != 1 || count != wanted) return false;
    values.resize(wanted);
    return std::fread(values.data(), sizeof(T), wanted, file) == wanted;
}

/// Of a record whose vectors have the sizes that are wanted.
template <class T>
bool read_record(std::FILE* file, Record<T>& record) {
    return std::fread(&record.turn, sizeof record.turn, 1, file) == 1 &&
           std::fread(&record.seconds, sizeof record.seconds, 1, file) == 1 &&
           read_vector(file, record.counted, record.counted.size()) &&
           std::fread(&record.keeps_input, 1, 1, file) == 1 &&
           read_vector(file, record.out, record.out.size());
}

}  // namespace convolab::exercise
