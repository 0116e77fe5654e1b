// SPDX-License-Identifier: MIT
// tile -- T x T pixels per block, with their halo in shared memory
// Source: videostream2021, 3.4; T and K as in its Fig. 27.
// Idea: a block needs (T + K - 1)^2 pixels, and has a thread for each of them. Each thread loads
//     one pixel, then T^2 threads compute one each. Red and blue share a word, and green has
//     another. So one instruction adds, multiplies or compares two samples (parts/windows.hpp).
// Since cpu: there is a thread per pixel. It filters only the current frame, because the previous
//     one was filtered when it arrived.
// Limit: K^2 loads from shared memory per word. Some threads only load: with T = 10 and K = 9, two
//     of three.
// Alone: build/labs/10_noise_filter/lab bench --variant tile --ksize 3,9 --block 10,24 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"
#include "labs/10_noise_filter/parts/windows.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {

template <class Window, int K>
static __global__ void __launch_bounds__(1024)
    filter_tiles(const std::uint8_t* d_in, std::uint8_t* d_out, int width, int height) {
    extern __shared__ unsigned s_words[];  // red and blue of each pixel, then the greens
    const int side = blockDim.x, tile = side - (K - 1);
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * tile + tx;  // of the output; the tile begins K / 2 pixels before
    const int y = blockIdx.y * tile + ty;
    const std::uint8_t* d_pixel = nearest(d_in, x - K / 2, y - K / 2, width, height);
    const int cell = ty * side + tx;
    s_words[cell] = d_pixel[0] | d_pixel[2] << 16;
    s_words[side * side + cell] = d_pixel[1];
    __syncthreads();

    if (tx >= tile || ty >= tile || x >= width || y >= height) return;
    const auto filtered = [&](const unsigned* s_first) {
        return Window::of([&](int i, int j) { return s_first[j * side + i]; });
    };
    const unsigned red_blue = filtered(s_words + cell);
    const unsigned green = filtered(s_words + side * side + cell);
    store_pixel(d_out, y * width + x, red_blue, green);
}

const Variant tile = frame_pair_variant(
    {.name = "tile",
     .idea = "one frame; a block of (T + K - 1)^2 threads, its pixels in shared memory",
     .uses = kUsesBlock,
     .pinned_frames = true,
     .operation = &filtered()},
    [](CudaFramePair& v) {
        with_window<Mean, Gaussian, Median>(v.job, [&v]<class Window, int K>() {
            LaunchShape shape = tile_with_halo(v.job);
            shape.shared_bytes = shape.threads_per_block() * 2 * sizeof(unsigned);
            v.prepare(filter_tiles<Window, K>, shape);
            v.set({.keeps_the_previous_frame = true, .launch = [&v] {
                       filter_tiles<Window, K><<<v.grid, v.block, v.shared_bytes>>>(
                           v.d_current(), v.d_out(), v.width, v.height);
                   }});
        });
    });

}  // namespace convolab::noise_filter
