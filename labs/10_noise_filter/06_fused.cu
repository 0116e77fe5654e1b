// SPDX-License-Identifier: MIT
// fused -- both frames filtered and compared by one kernel
// Source: new.
// Idea: the filtered frames never reach memory, because a thread filters its pixel of both frames
//     and writes only the mark. A block marches down a strip of the frames, row by row, and each
//     thread handles one column of it:
//         load      the thread's pixel of the next row, of both frames, which arrives meanwhile
//         column    from its last K pixels, which are in registers: the sum, or the sorted words
//         barrier   now the columns are in shared memory
//         combine   K neighbouring columns into a filtered pixel of both frames
//     Shared memory has room for the columns of two rows, which are used in turn, so one barrier
//     per row is enough: before a thread overwrites a row, all its readers have passed the barrier
//     of the row between.
// Since columns: it compares in the same kernel. A strip loads each pixel once. The columns come
//     from registers. The six samples of both frames fill three words. For any K, nearly every
//     thread computes a pixel of each row.
// Limit: instructions: 3K loads from shared memory per pixel; for the median, comparisons.
// Alone: build/labs/10_noise_filter/lab bench --variant fused --ksize 3,5,7,9 --size 1080p
#include "common/cuda/frame_pair.hpp"
#include "labs/10_noise_filter/parts/strip.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {

/// Calls visit(x, y, n) for each output pixel of the thread: n of its samples changed, 0 to 3.
template <class Window, int K, class Visit>
static __device__ void march(const BothFrames& in, const Visit& visit) {
    __shared__ ColumnsOfRow<Window> s_columns[2];
    const int tx = threadIdx.x, x = blockIdx.x * (kStripThreads - (K - 1)) + tx;
    const int top = blockIdx.y * kStripRows;
    const bool has_output = tx < kStripThreads - (K - 1) && x < in.width;
    unsigned last[3][K] = {};  // the words of K rows of this column
    SixSamples next(in, x - K / 2, top - K / 2);
    for (int row = 0; row < kStripRows + K - 1; ++row) {
        push(last, next);
        next = SixSamples(in, x - K / 2, top - K / 2 + row + 1);
        if (row < K - 1) continue;
        auto& s_row = s_columns[row % 2];
        store_column<Window>(s_row, tx, last);
        __syncthreads();
        const int y = top + row - (K - 1);
        if (!has_output || y >= in.height) continue;
        unsigned filtered[3];
#pragma unroll
        for (int w = 0; w < 3; ++w)
            filtered[w] = Window::combine([&](int n, int i) { return s_row[w][n][tx + i]; });
        visit(x, y, samples_changed(filtered));
    }
}

template <class Window, int K>
static __global__ void __launch_bounds__(kStripThreads)
    mark_changes(BothFrames in, std::uint8_t* d_out) {
    march<Window, K>(in, [&](int x, int y, int changed_samples) {
        store_pixel(d_out, y * in.width + x, changed_samples > 0 ? 255 : 0, 0);
    });
}

const Variant fused = frame_pair_variant(
    {.name = "fused",
     .idea = "both frames filtered and compared by one kernel",
     .pinned_frames = true},
    [](CudaFramePair& v) {
        with_window<Mean, Gaussian, Median>(v.job, [&v]<class Window, int K>() {
            v.prepare(mark_changes<Window, K>, shape_of_strips(v.width, v.height, K));
            v.set({.keeps_the_previous_frame = true, .launch = [&v] {
                       mark_changes<Window, K><<<v.grid, v.block>>>(
                           {v.d_previous(), v.d_current(), v.width, v.height}, v.d_out());
                   }});
        });
    });

}  // namespace convolab::noise_filter
