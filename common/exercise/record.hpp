// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the program of the answer tells the judge of a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace convolab::exercise {

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
