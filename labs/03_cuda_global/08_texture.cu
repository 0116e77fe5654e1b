// SPDX-License-Identifier: MIT
// texture -- the texture unit reads the picture, and finds what lies outside
// Source: new.
// Idea: a texture is memory that the hardware reads as a picture. tex2D takes a column and a row of
//     texels (pixels). Its address mode decides what lies outside: clamp is border rule replicate,
//     border is constant 0. So the kernel needs no test and no index.
// Since coalesced: one tex2D loads all channels of a pixel: 1, 2 or 4, but never 3. Rows begin at
//     multiples of 32 bytes. The copy to the device puts them there, before the clock starts.
// Limit: conversions. The unit that makes floats of samples is 81 % busy (5x5 at 8K).
// Alone: build/labs/03_cuda_global/lab bench --variant texture --channels 4 --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

constexpr DeviceRows kRows{.line = 32};  // what CUDA calls texturePitchAlignment
constexpr std::int64_t kMaxWidth = 131072, kMaxHeight = 65000;  // since compute capability 6

static __device__ void add(float (&sum)[1], float tap, unsigned char texel) {
    sum[0] += tap * texel;
}
static __device__ void add(float (&sum)[4], float tap, uchar4 texel) {
    sum[0] += tap * texel.x;
    sum[1] += tap * texel.y;
    sum[2] += tap * texel.z;
    sum[3] += tap * texel.w;
}

template <class Texel, int C>
static __global__ void convolve(cudaTextureObject_t picture, std::uint8_t* d_out,
                                const float* d_taps, Geometry image) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.out_width || y >= image.out_height) return;

    const int K = image.ksize;
    const float left = x + image.origin + 0.5F, top = y + image.origin + 0.5F;  // a texel's middle
    float sum[C] = {};
    for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i)
            add(sum, d_taps[j * K + i], tex2D<Texel>(picture, left + i, top + j));
    std::uint8_t* d_pixel = d_out + (static_cast<std::int64_t>(y) * image.out_width + x) * C;
    for (int c = 0; c < C; ++c) d_pixel[c] = to_sample<std::uint8_t>(sum[c], image.divisor);
}

static cudaTextureAddressMode address_mode(const Border& border) {
    const bool nothing_outside = source_index(border.rule, -1, 1) < 0;
    if (border.rule == BorderRule::replicate) return cudaAddressModeClamp;
    if (nothing_outside && border.value == 0) return cudaAddressModeBorder;
    throw Unsupported(
        "A texture supports the borders replicate and constant:0; its modes wrap and mirror need "
        "coordinates from 0 to 1, which are not exact for every size.");
}

template <class Texel, int C>
class Texture final : public CudaConvolver {
  public:
    explicit Texture(const Job& job)
        : CudaConvolver(job, {input_for(job, PixelType::uint8), 0, kRows},
                        {output_for(job, PixelType::uint8)}) {
        const auto width = static_cast<std::size_t>(job.image().width());
        const auto height = static_cast<std::size_t>(job.image().height());
        cudaResourceDesc memory{};
        memory.resType = cudaResourceTypePitch2D;
        memory.res.pitch2D = {const_cast<Texel*>(d_in<Texel>()), cudaCreateChannelDesc<Texel>(),
                              width, height, in_pitch()};
        cudaTextureDesc how{};  // 0 means: nearest texel, integer values, coordinates in texels
        how.addressMode[0] = how.addressMode[1] = address_mode(job.border);
        prepare(convolve<Texel, C>, one_thread_per_pixel(job));
        CUDA_CHECK(cudaCreateTextureObject(&picture_, &memory, &how, nullptr));
    }
    ~Texture() override { (void)cudaDestroyTextureObject(picture_); }

  private:
    void launch() override {
        convolve<Texel, C>
            <<<grid, block>>>(picture_, d_out<std::uint8_t>(), d_taps(), geometry_of(job));
    }
    cudaTextureObject_t picture_ = 0;
};

static std::unique_ptr<Convolver> make(const Job& job) {
    const Image& image = job.image();
    if (image.channels() == 3)
        throw Unsupported("A texel has 1, 2 or 4 channels, not 3; use --channels 4 or 1.");
    if (image.width() > kMaxWidth || image.height() > kMaxHeight)
        throw Unsupported("A texture has at most 131072 x 65000 texels; use a smaller image.");
    if (image.channels() == 1) return std::make_unique<Texture<unsigned char, 1>>(job);
    return std::make_unique<Texture<uchar4, 4>>(job);
}

static MemoryNeed memory(const Job& job) {  // also for the input as it comes from the host
    MemoryNeed need = cuda_memory(job);
    need.device += job.image().samples() + kRows.line * job.image().height();
    return need;
}

const Variant texture{.name = "texture",
                      .idea = "the texture unit finds the pixels, also outside; gray and RGBA",
                      .make = make,
                      .uses = kUsesBlock,
                      .channels = {4, 1, 3},  // for 3, make() says why it is unsupported
                      .memory = memory};

}  // namespace convolab::cuda_global
