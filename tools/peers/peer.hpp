// SPDX-License-Identifier: MIT
// The interface between a timed library and peers.py: one shared library per peer, all loaded by
// the same Python process as Convolab's, so that each round times them all. The file of a peer defines
// the three functions of namespace peer; Python calls the C functions below (libraries.py declares
// their types). If a library is not installed, only its own file is not built.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// The work: uint8, interleaved, border replicate, correlation with taps / divisor.
struct PeerJob {
    const std::uint8_t* pixels;  ///< width * height * channels; outlives the contender
    int width, height, channels;
    int ksize;        ///< K
    const int* taps;  ///< K x K integers, row by row
    int divisor;
    const int* row;   ///< K integers: taps are row x row; null if they are no such product
    int row_divisor;  ///< their sum; divisor is its square
    double sigma;     ///< of the Gaussian; 0: the library's default for this K
    int threads;      ///< CPU threads, the same for all contenders
    int buffers;      ///< GPU: pairs of images worked on in turn
};

namespace peer {

class Contender {
  public:
    virtual ~Contender() = default;
    virtual void run() = 0;
    /// Copies the output's width * height * channels samples.
    virtual void output(std::uint8_t* samples) = 0;
    /// Milliseconds of that many calls together.
    virtual double time_ms(int calls) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i) run();
        const std::chrono::duration<double, std::milli> ms =
            std::chrono::steady_clock::now() - start;
        return ms.count();
    }
};

/// Names of the contenders, with commas between them.
const char* functions();
std::string version();
/// Throws std::exception, in one sentence, for what the library cannot do.
std::unique_ptr<Contender> make(const std::string& function, const PeerJob& job);

inline std::size_t bytes(const PeerJob& job) {
    return static_cast<std::size_t>(job.width) * job.height * job.channels;
}
/// The K x K taps, row by row.
inline std::vector<int> taps(const PeerJob& job) {
    return {job.taps, job.taps + job.ksize * job.ksize};
}
/// The K taps of rows and of columns, for a function that computes no other filter.
inline const int* row_of(const PeerJob& job) {
    if (job.row == nullptr) throw std::runtime_error("It takes no filter that is not separable.");
    return job.row;
}

/// Calls f. If f throws, copies the message to `error` and returns `otherwise`.
template <class F, class T>
T guarded(const F& f, T otherwise, char* error, int size) {
    try {
        return f();
    } catch (const std::exception& e) {
        std::strncpy(error, e.what(), static_cast<std::size_t>(size) - 1);
        return otherwise;
    }
}

}  // namespace peer

// Not inline: all libraries of the process would share the static text of an inline function.
#define PEER_C extern "C" __attribute__((visibility("default"), used))
PEER_C const char* peer_functions() { return peer::functions(); }
PEER_C const char* peer_version() {
    static const std::string text = peer::version();
    return text.c_str();
}
PEER_C void* peer_make(const char* function, const PeerJob* job, char* error, int size) {
    return peer::guarded([&] { return static_cast<void*>(peer::make(function, *job).release()); },
                         static_cast<void*>(nullptr), error, size);
}
/// -1 and a message in `error` if a call failed.
PEER_C double peer_time_ms(void* contender, int calls, char* error, int size) {
    return peer::guarded([&] { return static_cast<peer::Contender*>(contender)->time_ms(calls); },
                         -1.0, error, size);
}
PEER_C int peer_output(void* contender, std::uint8_t* samples, char* error, int size) {
    return peer::guarded(
        [&] {
            static_cast<peer::Contender*>(contender)->output(samples);
            return 1;
        },
        0, error, size);
}
PEER_C void peer_free(void* contender) { delete static_cast<peer::Contender*>(contender); }
