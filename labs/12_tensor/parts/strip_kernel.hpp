// SPDX-License-Identifier: MIT
// The launch of `pipeline` and `tensor`: a block computes three strips side by side, in the rows of
// a band.
#pragma once

#include "common/cuda/packed_kernel.hpp"
#include "labs/12_tensor/parts/bands.hpp"
#include "labs/12_tensor/parts/output_tile.hpp"
#include "labs/12_tensor/parts/row_ring.hpp"
#include "labs/12_tensor/parts/tensor_filter.hpp"

namespace convolab::tensor_cores {

inline constexpr int kBlockBytes = kWarps * kStripBytes;  ///< bytes of an output row
/// How many bytes of an input row a block needs.
template <class Matrix>
inline constexpr int kRowBytes = kBlockBytes + 8 * Matrix::Form::kWords* Matrix::kSteps +
                                 (Matrix::Form::kBefore > 0 ? 16 : 0);

/// Rows: ByteRows, or a class derived from it.
template <class Form, class Rows>
BandKernel strip_kernel(void (*kernel)(Rows, TensorFilter<Form>, Bands), const Job& job,
                        Rows rows) {
    require_gpu();
    require_capability(kernel, kBulkCopies);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    const FilterOnDevice<Form> filter(job);
    const DeviceRows in = rows_for_windows(job, filter.get().lead);
    rows.in_pitch = static_cast<int>(packed_pitch(in, rows.last - rows.first));
    const dim3 block(32, kWarps);
    const auto strips = blocks_for(rows.out_bytes, kBlockBytes);
    const Bands bands = bands_for(rows.job.out_height,
                                  PreparedKernel::resident_blocks(kernel, 32 * kWarps) / strips,
                                  job.filter.ksize());
    PreparedKernel launch;
    launch.prepare(kernel, {dim3(strips, bands.count(rows.job.out_height)), block});
    const auto on_stream = [kernel, rows, filter, bands, block, grid = launch.grid](
                               const DeviceBand& at, cudaStream_t stream) {
        Rows here = rows;
        static_cast<ByteRows&>(here) = rows_at(rows, at);
        kernel<<<grid, block, 0, stream>>>(here, filter.get(), bands);
    };
    return {on_stream, in, packed_output_rows(), launch.kernel_resources(), launch.grid};
}

}  // namespace convolab::tensor_cores
