// SPDX-License-Identifier: MIT
// fft -- one multiplication per frequency instead of one per tap and sample, by cuFFT
// Source: new; lab 01's fft on a GPU.
// Idea: tiles of the padded image are transformed, multiplied by the filter's frequencies and
//     transformed back. A transform repeats its tile on all sides, so K - 1 rows and columns of a
//     result are wrong. Therefore the tiles overlap by as much. A batch is many tiles in one call
//     of cuFFT.
// Since padded: the work hardly depends on K. With a larger filter, the tiles overlap more.
// Limit: unknown, because we did not profile it. The transforms and three kernels read and write
//     doubles: 8 bytes instead of 1.
// Alone: build/labs/03_cuda_global/lab bench --variant fft --filter edge --ksize 63 --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"
#ifdef CONVOLAB_CUFFT
#include <cufft.h>

#include <bit>
#endif

namespace convolab::cuda_global {

#ifdef CONVOLAB_CUFFT
using Complex = cufftDoubleComplex;

/// Large tiles overlap less. The side is a power of two, so that a division by side^2 is exact.
constexpr int tile_side(int k) { return std::bit_ceil(std::clamp(6U * k, 256U, 1024U)); }
constexpr std::int64_t kBatchBytes = 256 << 20;  // the tiles of a batch take at most this much
constexpr dim3 kBlock(32, 8);
constexpr int kThreads = 256;

// Sums are whole numbers, so rounding makes them exact if the error is below 1/2. Lab 01's fft
// proves a bound of 0.001 for tiles of this side. NVIDIA gives no bound for cuFFT, but names the
// same algorithm (Cooley-Tukey), and 500 times that error would still be small enough.
static_assert(tile_side(255) == 1024);

/// Some tiles, each of one channel: first the channels of one place, then the place to its right.
struct Tiles {
    explicit Tiles(const Job& job)
        : side(tile_side(job.filter.ksize())),
          step(side - job.filter.ksize() + 1),
          across(static_cast<int>(ceil_divide(job.out_width(), step))),
          count(across * static_cast<int>(ceil_divide(job.out_height(), step)) *
                job.image().channels()),
          batch(static_cast<int>(ceil_divide(
              count, std::max<std::int64_t>(1, ceil_divide(count * bytes(), kBatchBytes))))) {}

    std::int64_t bytes() const { return 8L * side * side; }  ///< of one tile

    int side, step;  ///< of a tile, and from one to the next: its right rows and columns
    int across;      ///< places side by side
    int count;       ///< tiles of the whole image
    int batch;       ///< tiles that are transformed together
    int first = 0;   ///< tile of this batch; tiles past the last one store nothing
};

/// A thread's sample: column i and row j of its tile, (x, y, c) of the image.
struct Sample {
    __device__ Sample(const Tiles& tiles, int channels)
        : i(blockIdx.x * kBlock.x + threadIdx.x), j(blockIdx.y * kBlock.y + threadIdx.y) {
        const int tile = tiles.first + blockIdx.z, place = tile / channels;
        x = place % tiles.across * tiles.step + i;
        y = place / tiles.across * tiles.step + j;
        c = tile % channels;
        index = (static_cast<std::int64_t>(blockIdx.z) * tiles.side + j) * tiles.side + i;
    }
    int i, j, x, y, c;
    std::int64_t index;  ///< in the batch
};

template <class View>
static __global__ void gather(const std::uint8_t* d_in, double* d_samples, View image,
                              Tiles tiles) {
    const Sample s(tiles, View::channels);
    const bool inside = s.x < image.padded_width && s.y < image.padded_height;
    d_samples[s.index] = inside ? d_in[image.in(s.x, s.y, s.c)] : 0;
}

/// The filter's frequencies are conjugated, because the filter is not turned by 180 degrees.
static __global__ void multiply(Complex* d_frequencies, const Complex* d_filter, int count) {
    const int f = blockIdx.x * kThreads + threadIdx.x;
    if (f >= count) return;
    Complex& frequency = d_frequencies[static_cast<std::int64_t>(blockIdx.y) * count + f];
    frequency = cuCmul(frequency, cuConj(d_filter[f]));
}

template <class View>
static __global__ void scatter(const double* d_samples, std::uint8_t* d_out, View image,
                               Tiles tiles) {
    const Sample s(tiles, View::channels);
    if (s.i >= tiles.step || s.j >= tiles.step || s.x >= image.width || s.y >= image.height) return;
    const auto sum = static_cast<float>(rint(d_samples[s.index]));
    d_out[image.out(s.x, s.y, s.c)] = to_sample<std::uint8_t>(sum, image.divisor);
}

static void check_cufft(cufftResult result, const std::string& call) {
    if (result == CUFFT_ALLOC_FAILED)
        throw Skipped(call + " found too little device memory; it needs about 1 GiB.");
    if (result != CUFFT_SUCCESS)
        throw Error(call + " failed with cuFFT's error " + std::to_string(result) +
                    "; cufft.h has its name.");
}
#define CUFFT_CHECK(call) check_cufft((call), #call)

/// cuFFT chooses its kernels for side x side samples and a batch, and allocates their workspace.
class Plan {
  public:
    Plan(const Tiles& tiles, cufftType type) {
        int sides[] = {tiles.side, tiles.side};
        // nullptr means tiles without gaps, one after the other; the strides are then ignored.
        CUFFT_CHECK(
            cufftPlanMany(&plan_, 2, sides, nullptr, 1, 0, nullptr, 1, 0, type, tiles.batch));
    }
    ~Plan() { (void)cufftDestroy(plan_); }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    operator cufftHandle() const { return plan_; }

  private:
    cufftHandle plan_ = 0;
};

/// D2Z turns real samples into half of their frequencies; the other half is conjugate to these. Z2D
/// turns them back, but side^2 times too large. So the taps are divided by side^2.
struct Transforms {
    Transforms(const Tiles& tiles, const Filter& taps)
        : frequencies(tiles.side * (tiles.side / 2 + 1)),
          d_samples(static_cast<std::size_t>(tiles.batch) * tiles.side * tiles.side),
          d_frequencies(static_cast<std::size_t>(tiles.batch) * frequencies),
          d_filter(frequencies),
          forward(tiles, CUFFT_D2Z),
          inverse(tiles, CUFFT_Z2D) {
        std::vector<double> h_tile(1L * tiles.side * tiles.side);
        for (int j = 0; j < taps.ksize(); ++j)
            for (int i = 0; i < taps.ksize(); ++i)
                h_tile[j * tiles.side + i] = taps.tap(i, j) / static_cast<double>(h_tile.size());
        d_samples.fill(0);
        CUDA_CHECK(
            cudaMemcpy(d_samples.data(), h_tile.data(), tiles.bytes(), cudaMemcpyHostToDevice));
        CUFFT_CHECK(cufftExecD2Z(forward, d_samples.data(), d_frequencies.data()));
        CUDA_CHECK(cudaMemcpy(d_filter.data(), d_frequencies.data(), d_filter.bytes(),
                              cudaMemcpyDeviceToDevice));
    }

    int frequencies;  ///< of one tile
    DeviceBuffer<double> d_samples;
    DeviceBuffer<Complex> d_frequencies, d_filter;
    Plan forward, inverse;
};

template <class View>
static void setup(CudaVariant<std::uint8_t, View>& v) {
    const Tiles all(v.job);
    const auto t = std::make_shared<Transforms>(all, v.job.filter);
    v.prepare(scatter<View>, {dim3(all.side / kBlock.x, all.side / kBlock.y, all.batch), kBlock});
    v.set_launch([&v, all, t] {
        const dim3 grid(blocks_for(t->frequencies, kThreads), all.batch);
        Complex* d_frequencies = t->d_frequencies.data();
        for (Tiles tiles = all; tiles.first < all.count; tiles.first += all.batch) {
            gather<<<v.grid, v.block>>>(v.d_in(), t->d_samples.data(), v.view, tiles);
            CUFFT_CHECK(cufftExecD2Z(t->forward, t->d_samples.data(), d_frequencies));
            multiply<<<grid, kThreads>>>(d_frequencies, t->d_filter.data(), t->frequencies);
            CUFFT_CHECK(cufftExecZ2D(t->inverse, d_frequencies, t->d_samples.data()));
            scatter<<<v.grid, v.block>>>(t->d_samples.data(), v.d_out(), v.view, tiles);
        }
    });
}

/// Samples, frequencies (a little more), a workspace as large for each plan, and the filter.
static MemoryNeed memory(const Job& job) {
    const Tiles tiles(job);
    MemoryNeed need = cuda_padded_memory<std::uint8_t>(job);
    need.device += (4 * tiles.batch + 1) * (tiles.bytes() + 16L * tiles.side);
    return need;
}
#else
template <class View>
static void setup(CudaVariant<std::uint8_t, View>&) {
    throw MissingLibrary(
        "This program was built without cuFFT, a part of NVIDIA's CUDA toolkit: it needs nvcc, a "
        "GPU and the toolkit's cufft.h.");
}
static MemoryNeed memory(const Job& job) { return cuda_padded_memory<std::uint8_t>(job); }
#endif

const Variant fft = [] {
    Variant variant = padded_variant<std::uint8_t>(
        "fft", "one multiplication per frequency: tiles, transformed by cuFFT",
        []<class View>(CudaVariant<std::uint8_t, View>& v) { setup(v); });
    variant.uses = kUsesNothing;
    variant.memory = memory;
    return variant;
}();

}  // namespace convolab::cuda_global
