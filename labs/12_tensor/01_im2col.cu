// SPDX-License-Identifier: MIT
// im2col -- the matrix of all windows, in memory
// Source: new; cazzola2024 names convolution as GEMM (section III) and would try it next (section
//     VI).
// Idea: write the K^2 bytes under the filter side by side, one matrix row for each output sample.
//     (In memory it is a column, see Windows.) This matrix (im2col: image to columns) times the
//     taps is the result. One kernel writes the matrix, another one multiplies, four bytes per
//     instruction (dp4a).
// Since lab 05's packed: the kernel that multiplies needs no window. The image is a padded copy,
//     as in lab 03's padded.
// Limit: the instructions that write the matrix byte by byte. It has K^2 bytes for each byte of the
//     picture, rounded up to whole words: 28 with K = 5, 84 with K = 9. They are written and read
//     again, 56 and 168 bytes; a copy of the picture moves 2. So it is made in bands of at most
//     256 MiB. Many filters for one picture, as in a neural network, would share it; here each of
//     its bytes is used once. 02_toeplitz.cu never writes it.
// Alone: build/labs/12_tensor/lab bench --variant im2col --filter edge --ksize 3,5,9 --size 1080p
#include "labs/12_tensor/parts/padded_rows.hpp"
#include "labs/12_tensor/parts/window_bands.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kThreads = 256;

/// The windows of a band of output rows. Word w of sample s, four bytes of its window, is
/// d_words[w][s], so neighbouring threads use neighbouring words.
struct Windows {
    unsigned* d_words;
    int ksize, channels, words;
    int first, samples;  ///< the first output row; samples of the band
};

/// One thread computes one sample, in this kernel and in the next.
static __global__ void write_windows(PaddedRows image, Windows windows) {
    const int sample = blockIdx.x * kThreads + threadIdx.x;
    if (sample >= windows.samples) return;
    const int y = windows.first + sample / image.out_bytes, x = sample % image.out_bytes;
    for (int word = 0; word < windows.words; ++word)
        windows.d_words[static_cast<std::int64_t>(word) * windows.samples + sample] =
            window_word(image, x, y, 4 * word, windows.ksize, windows.channels);
}

static __global__ void multiply_windows(PaddedRows image, Windows windows, const unsigned* d_taps) {
    const int sample = blockIdx.x * kThreads + threadIdx.x;
    if (sample >= windows.samples) return;
    int sum = image.start;
    for (int word = 0; word < windows.words; ++word)
        sum =
            dp4a_signed(windows.d_words[static_cast<std::int64_t>(word) * windows.samples + sample],
                        d_taps[word], sum);
    image.out_row(windows.first + sample / image.out_bytes)[sample % image.out_bytes] =
        static_cast<std::uint8_t>(image.division.byte(sum));
}

static int words_of(const Filter& filter) {
    return ceil_divide(filter.ksize() * filter.ksize(), 4);
}

static std::int64_t matrix_words(const Job& job) {
    return words_of(job.filter) * band_samples(job, 4 * words_of(job.filter));
}

static void setup(PaddedConvolver& v) {
    const int K = v.job.filter.ksize(), C = v.job.image().channels();
    std::vector<unsigned> taps(words_of(v.job.filter));
    for (int tap = 0; tap < K * K; ++tap)
        taps[tap / 4] |= (v.matrix.weight(0, 0, tap / K, tap % K * C) & 255U) << (8 * (tap % 4));
    const unsigned* d_taps = v.on_device(taps);
    const auto d_words = std::make_shared<DeviceBuffer<unsigned>>(matrix_words(v.job));
    const PaddedRows image = v.rows();
    const int rows = band_rows(v.job, 4 * words_of(v.job.filter));
    v.prepare(multiply_windows, {blocks_for(rows * image.out_bytes, kThreads), kThreads});
    v.set_launch([=, words = static_cast<int>(taps.size())] {
        for (int first = 0; first < image.out_rows; first += rows) {
            const int samples = std::min(rows, image.out_rows - first) * image.out_bytes;
            const Windows windows{d_words->data(), K, C, words, first, samples};
            const unsigned blocks = blocks_for(samples, kThreads);
            write_windows<<<blocks, kThreads>>>(image, windows);
            multiply_windows<<<blocks, kThreads>>>(image, windows, d_taps);
        }
    });
}

const Variant im2col = [] {
    Variant variant = padded_rows_variant(
        "im2col", "the matrix of all windows written to memory, then multiplied by the taps",
        {3, 1, 4}, setup);
    variant.memory = [](const Job& job) {
        MemoryNeed need = PaddedConvolver::memory(job);
        need.device += 4 * matrix_words(job);
        return need;
    };
    return variant;
}();

}  // namespace convolab::tensor_cores
