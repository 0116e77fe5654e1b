// SPDX-License-Identifier: MIT
// fft -- one multiplication per frequency instead of one per tap and sample
// Source: new.
// Idea: the Fourier transform of a convolution is the product of the transforms of image and
//     filter. FFTW transforms a tile of the image; the program multiplies; FFTW transforms back. A
//     transform treats its tile as if it repeated on all sides, so K - 1 rows and columns of each
//     result are wrong. So the tiles overlap by as much.
// Since simd: the time hardly grows with K, and the filter need not be separable.
// Limit: the transforms. For a small K, they cost far more than the taps that they replace.
// Alone: build/labs/01_sequential/lab bench --variant fft --filter edge --ksize 63 --size 1080p
#include <bit>
#include <complex>
#include <mutex>

#include "common/base/error.hpp"
#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/01_sequential/variants.hpp"
#ifdef CONVOLAB_FFTW
#include <fftw3.h>
#endif

namespace convolab {
namespace {

#ifdef CONVOLAB_FFTW
using Complex = std::complex<double>;

/// Measured to be best: large enough for a small overlap, small enough for the caches.
constexpr int tile_side(int k) { return k <= 21 ? 128 : std::bit_ceil(std::max(256U, 3U * k)); }

// Sums are whole numbers, so rounding is exact if the error is below 1/2. A transform of 2^L
// samples has a relative error in the 2-norm below 8 L u, u = 2^-53 (Higham, Accuracy and Stability
// of Numerical Algorithms, Theorem 24.2: 6.7 L u for radix 2). Each of the three transforms adds at
// most that share of |picture|_2 |taps|_1 <= 255 side * 65536. FFTW mixes radices, but an error 500
// times as large would do no harm either.
static_assert(tile_side(255) == 1024 && 3 * (8 * 20 * 0x1p-53) * (255.0 * 1024 * 65536) < 0.001);

std::mutex planner;  // `verify` runs several jobs at once, but FFTW must make one plan at a time
struct Remove {
    void operator()(fftw_plan plan) const {
        const std::lock_guard lock(planner);
        fftw_destroy_plan(plan);
    }
};
using Plan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, Remove>;

/// One channel of a tile, and half of its frequencies; the other half are their conjugates.
struct Tile : Padded<std::uint8_t> {
    explicit Tile(const Job& job)
        : Padded(job), samples(side * side), frequencies(side * (side / 2 + 1)) {
        const std::lock_guard lock(planner);
        auto* complex = reinterpret_cast<fftw_complex*>(frequencies.data());
        // r2c transforms real samples; c2r transforms back, and its results are side^2 times too
        // large. FFTW_MEASURE times several algorithms and overwrites the arrays, so we fill them
        // afterwards.
        forward.reset(fftw_plan_dft_r2c_2d(side, side, samples.data(), complex, FFTW_MEASURE));
        inverse.reset(fftw_plan_dft_c2r_2d(side, side, complex, samples.data(), FFTW_MEASURE));
        std::fill(samples.begin(), samples.end(), 0.0);
        for (int j = 0; j < k; ++j) std::copy_n(&taps[j * k], k, &samples[j * side]);
        fftw_execute(forward.get());
        for (const Complex& f : frequencies)  // conjugate: a correlation does not flip the filter
            filter.push_back(std::conj(f) / (1.0 * side * side));
    }

    std::int64_t side = tile_side(k);
    std::vector<double> samples;
    std::vector<Complex> frequencies, filter;
    Plan forward, inverse;
};

/// Does not use the operator *=, because that also tests for NaN.
void multiply(std::vector<Complex>& frequencies, const std::vector<Complex>& filter) {
    for (std::size_t f = 0; f < filter.size(); ++f) {
        const double re = frequencies[f].real(), im = frequencies[f].imag();
        frequencies[f] = {re * filter[f].real() - im * filter[f].imag(),
                          re * filter[f].imag() + im * filter[f].real()};
    }
}

void convolve(Tile& job, Image& result) {
    const int channels = result.channels();
    const std::int64_t side = job.side;
    const std::int64_t step = side - job.k + 1;  // as many rows and columns of a tile are right
    for (std::int64_t y = 0; y < result.height(); y += step)
        for (std::int64_t x = 0; x < result.width(); x += step)
            for (int c = 0; c < channels; ++c) {
                std::fill(job.samples.begin(), job.samples.end(), 0.0);
                for (std::int64_t j = 0; j < std::min(side, job.image.height() - y); ++j) {
                    const auto* in = job.image.data<std::uint8_t>() + job.image.index(x, y + j, c);
                    for (std::int64_t i = 0; i < std::min(side, job.image.width() - x); ++i)
                        job.samples[j * side + i] = in[i * channels];
                }
                fftw_execute(job.forward.get());
                multiply(job.frequencies, job.filter);
                fftw_execute(job.inverse.get());
                for (std::int64_t j = 0; j < std::min(step, result.height() - y); ++j) {
                    auto* out = result.data<std::uint8_t>() + result.index(x, y + j, c);
                    const double* sums = &job.samples[j * side];
                    const std::int64_t count = std::min(step, result.width() - x);
                    for (std::int64_t i = 0; i < count; ++i) {
                        // Near 1.5 x 2^52, a double has no bits for fractions, so adding rounds.
                        const double sum = (sums[i] + 0x1.8p52) - 0x1.8p52;
                        out[i * channels] = round_to_byte(static_cast<float>(sum), job.divisor);
                    }
                }
            }
}
#else
struct Tile : Padded<std::uint8_t> {
    explicit Tile(const Job& job) : Padded(job) {
        throw MissingLibrary("This program was built without FFTW: make setup installs it.");
    }
};
void convolve(Tile&, Image&) {}
#endif

}  // namespace

const Variant fft = cpu_variant(
    {.name = "fft", .idea = "one multiplication per frequency: tiles, transformed by FFTW"},
    convolve);

}  // namespace convolab
