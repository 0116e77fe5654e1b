// SPDX-License-Identifier: MIT
// columns -- first the columns, once for the K windows that share them
// Source: videostream2021, its to-do list (end of 3.4), for the separable form; new for the median.
// Idea: mean and Gaussian are separable: a window is the sum of K columns, and K windows share a
//     column. The median is not separable, but its windows share work, too: if the columns are
//     sorted, only few of the K^2 values can be the median (parts/median_network.hpp). So the block
//     works in two steps, with the columns in shared memory.
// Since tile: it does 2K additions per word instead of K^2. A 5 x 5 median takes 84 comparisons
//     instead of 132, plus 9 that five windows share. It needs more barriers.
// Limit: loads from shared memory, 2K per word, and barriers; for the median, comparisons.
// Alone: build/labs/10_noise_filter/lab bench --variant tile,columns --filter median --block 10,24
//     --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/10_noise_filter/parts/operations.hpp"
#include "labs/10_noise_filter/parts/windows.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {

template <class Window, int K>
static __global__ void __launch_bounds__(1024)
    filter_columns(const std::uint8_t* d_in, std::uint8_t* d_out, int width, int height) {
    extern __shared__ unsigned s_words[];  // the words of the pixels, then of the columns
    const int side = blockDim.x, tile = side - (K - 1), cells = side * side;
    const int tx = threadIdx.x, ty = threadIdx.y, cell = ty * side + tx;
    const int x = blockIdx.x * tile + tx;  // of the output; the tile begins K / 2 pixels before
    const int y = blockIdx.y * tile + ty;
    const std::uint8_t* d_pixel = nearest(d_in, x - K / 2, y - K / 2, width, height);
    s_words[cell] = d_pixel[0] | d_pixel[2] << 16;
    s_words[cells + cell] = d_pixel[1];

    unsigned filtered[2];
    unsigned* s_columns = s_words + 2 * cells;
    for (int plane = 0; plane < 2; ++plane) {  // red and blue, then green
        __syncthreads();  // the pixels have arrived; s_columns may be overwritten
        const unsigned* s_first = s_words + plane * cells + cell;
        if (ty < tile)
            Window::column([&](int j) { return s_first[j * side]; },
                           [&](int n, unsigned word) { s_columns[n * cells + cell] = word; });
        __syncthreads();
        if (tx < tile && ty < tile)
            filtered[plane] =
                Window::combine([&](int n, int i) { return s_columns[n * cells + cell + i]; });
    }
    if (tx < tile && ty < tile && x < width && y < height)
        store_pixel(d_out, y * width + x, filtered[0], filtered[1]);
}

const Variant columns = frame_pair_variant(
    {.name = "columns",
     .idea = "as tile; what K windows share of a column is computed once",
     .uses = kUsesBlock,
     .pinned_frames = true,
     .operation = &filtered()},
    [](CudaFramePair& v) {
        with_window<Mean, Gaussian, Median>(v.job, [&v]<class Window, int K>() {
            LaunchShape shape = tile_with_halo(v.job);
            shape.shared_bytes =
                shape.threads_per_block() * (2 + Window::kWords) * sizeof(unsigned);
            v.prepare(filter_columns<Window, K>, shape);
            v.set({.keeps_the_previous_frame = true, .launch = [&v] {
                       filter_columns<Window, K><<<v.grid, v.block, v.shared_bytes>>>(
                           v.d_current(), v.d_out(), v.width, v.height);
                   }});
        });
    });

}  // namespace convolab::noise_filter
