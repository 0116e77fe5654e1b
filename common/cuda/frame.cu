// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/convolution/rounding.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/frame.hpp"
#include "common/cuda/launch_shape.hpp"

namespace convolab {
namespace {

constexpr unsigned kThreads = 128;

/// blockIdx.y: one of the p rows from the top, the p from the bottom, the p columns from the left,
/// the p from the right.
template <class In, class Out>
__global__ void frame_kernel(FrameJob job) {
    const int p = job.ksize / 2;
    const int along = blockIdx.x * blockDim.x + threadIdx.x;
    const int line = blockIdx.y;
    const bool is_row = line < 2 * p;
    const int size = is_row ? job.height : job.width;
    const int at = line / p % 2 == 0 ? line % p : size - 1 - line % p;
    if (at < 0 || at >= size || along >= (is_row ? job.width : job.height)) return;
    // One thread per pixel: of two lines in one place the first, of a corner the row.
    if (line / p % 2 == 1 && at < p) return;
    if (!is_row && (along < p || along >= job.height - p)) return;
    const int x = is_row ? along : at;
    const int y = is_row ? at : along;

    const int left = max(0, p - x), right = min(job.ksize, job.width + p - x);  // taps on pixels
    const int top = max(0, p - y), bottom = min(job.ksize, job.height + p - y);
    for (int c = 0; c < job.channels; ++c) {
        const In* d_in = static_cast<const In*>(job.in.d_first) + c * job.in.channel;
        float sum = 0;
        float taps = 0;
        for (int j = top; j < bottom; ++j)
            for (int i = left; i < right; ++i) {
                const float tap = job.d_taps[j * job.ksize + i];
                taps += tap;
                sum += tap * static_cast<float>(
                                 d_in[(y - p + j) * job.in.row + (x - p + i) * job.in.pixel]);
            }
        Out* d_out = static_cast<Out*>(job.out.d_first) + c * job.out.channel;
        d_out[y * job.out.row + x * job.out.pixel] =
            job.rounds ? static_cast<Out>(round_to_byte(sum, taps)) : static_cast<Out>(sum / taps);
    }
}

template <class In, class Out>
void launch_frame(const FrameJob& job, cudaStream_t stream) {
    const int p = job.ksize / 2;
    if (p == 0) return;
    const auto longest = static_cast<std::int64_t>(std::max(job.width, job.height));
    const dim3 grid(static_cast<unsigned>(ceil_divide(longest, kThreads)),
                    static_cast<unsigned>(4 * p));
    frame_kernel<In, Out><<<grid, kThreads, 0, stream>>>(job);
    CUDA_CHECK(cudaGetLastError());
}

template <class In>
void launch_frame_from(const FrameJob& job, cudaStream_t stream) {
    switch (job.out_type) {
        case PixelType::uint8:
            return launch_frame<In, std::uint8_t>(job, stream);
        case PixelType::int32:
            return launch_frame<In, std::int32_t>(job, stream);
        case PixelType::float32:
            return launch_frame<In, float>(job, stream);
    }
}

}  // namespace

void renormalise_frame(const FrameJob& job, cudaStream_t stream) {
    switch (job.in_type) {
        case PixelType::uint8:
            return launch_frame_from<std::uint8_t>(job, stream);
        case PixelType::int32:
            return launch_frame_from<std::int32_t>(job, stream);
        case PixelType::float32:
            return launch_frame_from<float>(job, stream);
    }
}

}  // namespace convolab
