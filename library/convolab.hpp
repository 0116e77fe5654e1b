// SPDX-License-Identifier: MIT
// The fastest kernels of the labs for your own program: exact convolution of 8-bit pixels,
// interleaved, of 1, 3 or 4 channels, from your buffer to your buffer. Each byte of the output is
// floor(sum / divisor + 1/2), clamped to 0 .. 255, and the sum is over i and j = 0 .. K - 1 of
// taps[j * K + i] * pixel(x + i - K / 2, y + j - K / 2).
//
//     convolab::lib::Cpu blur({.width = 1920, .height = 1080, .channels = 3,
//                              .taps = {1, 2, 1, 2, 4, 2, 1, 2, 1}, .divisor = 16});
//     blur.run({in, 1920, 1080, 3, in_pitch}, {out, 1920, 1080, 3, out_pitch});
//
// Make a plan, Cpu or Gpu, once: that allocates. Run it for many pictures: that neither allocates
// nor copies them, and writes the output's pixels only. Input and output must not overlap. A copy
// of a plan is the same plan. What is wrong throws Error.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct CUstream_st;  // a cudaStream_t points to one

namespace convolab::lib {

/// What is wrong and what to do, in one sentence.
struct [[gnu::visibility("default")]] Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Pixels in your memory. The first pixel of a rectangle in a larger picture, with that picture's
/// pitch, is a view of the rectangle.
template <class Byte>
struct View {
    Byte* data;  ///< the first pixel
    std::int64_t width, height;
    int channels;
    std::int64_t pitch;  ///< bytes from one row to the next
};
using Input = View<const std::uint8_t>;
using Output = View<std::uint8_t>;

struct Task {
    std::int64_t width = 0, height = 0;  ///< of the input
    int channels = 3;
    std::vector<std::int32_t> taps = {};  ///< K x K, row by row; K is odd, sum |tap| at most 65536
    std::int32_t divisor = 1;             ///< 1 .. 65536
    /// constant, constant:VALUE, replicate, reflect, reflect101, wrap, renormalise, or valid, whose
    /// output is smaller by K - 1 on both sides.
    std::string border = "replicate";
};

/// The taps of a Gaussian, K x K, for the divisor 65536. K is odd, 1 .. 31; with sigma 0 it is
/// 0.3 * ((K - 1) / 2 - 1) + 0.8, and small K have the taps of OpenCV's 8-bit filters.
[[gnu::visibility("default")]] std::vector<std::int32_t> gaussian(int ksize, double sigma = 0);

/// On the CPU: lab 02's simd_rows, with AVX-512, AVX2 or plain loops.
class [[gnu::visibility("default")]] Cpu {
  public:
    /// threads: how many a run() uses at most, the caller's among them; the others are created
    /// here. Each has to have 5 million multiply-adds, K * K for a sample, or 2 * K if the filter
    /// is separable: to wake a thread for fewer takes about as long as it saves.
    explicit Cpu(const Task& task, int threads = 1);
    /// Returns when the output is there. Any thread may call it: calls of one plan take turns,
    /// those of several plans run side by side.
    void run(const Input& in, const Output& out) const;
    /// Such as "binomial, vectors of 64 bytes".
    std::string which() const;
    /// How many threads a run() uses.
    int threads() const;

  private:
    struct Plan;
    std::shared_ptr<Plan> plan_;
};

/// On the current GPU; views are in device memory. run() takes the first form that can do the task,
/// of those whose views are aligned, or of all:
///
///     lab 07 packed    separable filters, K = 3, 5
///     lab 05 packed    K = 3, pictures of up to 2^23 samples
///     lab 12 tensor    8-bit taps, one channel, K = 3 .. 9, aligned; compute capability 9.0 or more
///     lab 12 wgmma     8-bit taps, K = 3 .. 9; compute capability 9.0
///     lab 07 packed    separable filters, K = 7, 9
///     lab 05 packed    K = 3 .. 7
///     plain            K = 1 .. 9
///
/// Views are aligned if their addresses and pitches are multiples of 16, which is what
/// cudaMallocPitch gives; with border `valid`, `packed` wants an input that begins K / 2 * channels
/// bytes before a multiple of 16. Other views take longer, and which() then adds ", any address".
/// All forms but `plain` also read the other bytes of each 16, from a multiple of 16 on, in which
/// the input has a pixel.
class [[gnu::visibility("default")]] Gpu {
  public:
    explicit Gpu(const Task& task);
    /// Starts the kernel in the stream, a cudaStream_t, and does not wait. Any thread may call it;
    /// its current device is the plan's. The plan must live until the kernel has ended.
    void run(const Input& in, const Output& out, CUstream_st* stream = nullptr) const;
    /// The form that run() takes for these views.
    std::string which(const Input& in, const Output& out) const;

  private:
    struct Plan;
    std::shared_ptr<Plan> plan_;
};

}  // namespace convolab::lib
