// SPDX-License-Identifier: MIT
// The launch of `wgmma`: one block for each multiprocessor. The filter is in device memory.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "common/cuda/bit_division.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/packed_kernel.hpp"
#include "labs/12_tensor/parts/stage_ring.hpp"
#include "labs/12_tensor/parts/tensor_filter.hpp"
#include "labs/12_tensor/parts/window_chunks.hpp"

namespace convolab::tensor_cores {

/// Only one generation of GPUs supports wgmma; later ones do not.
inline void require_warpgroups() {
    int major = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major != 9)
        throw Unsupported(
            "This kernel needs a GPU of compute capability 9.0 (H100, H200); this one has " +
            std::to_string(major) + ".x.");
}

/// A parameter of the kernel.
template <class Part>
struct WarpgroupFilter {
    const Part* d_matrix;
    const unsigned char* d_outside;  ///< what is copied if the border rule has no row
    BitDivision division;
};

/// Owns what a kernel reads in device memory.
template <class Chunks>
struct WarpgroupMemory {
    using Part = typename Chunks::Part;
    /// Launches on several streams may run at the same time, so each uses another count of tiles.
    static constexpr unsigned kLaunches = 64;

    WarpgroupMemory(const Job& job, int lead)
        : WarpgroupMemory(job, lead, Toeplitz(job.filter, job.image().channels())) {}

    unsigned* next() { return d_next.data() + launches++ % kLaunches; }

    DeviceBuffer<Part> d_matrix;
    DeviceBuffer<unsigned char> d_outside{Chunks::kPitch};
    DeviceBuffer<unsigned> d_next{kLaunches};
    std::atomic<unsigned> launches = 0;
    WarpgroupFilter<Part> filter;

  private:
    WarpgroupMemory(const Job& job, int lead, const Toeplitz& matrix) {
        const std::vector<Part> lanes = warpgroup_matrix<Chunks>(matrix, lead);
        d_matrix = DeviceBuffer<Part>(lanes.size());
        d_matrix.upload(lanes.data());
        const auto outside = static_cast<unsigned char>(geometry_of(job).outside);
        d_outside.upload(std::vector<unsigned char>(d_outside.size(), outside).data());
        d_next.upload(std::vector<unsigned>(kLaunches).data());
        filter = {d_matrix.data(), d_outside.data(),
                  bit_division(matrix.divisor(), matrix.largest_sum())};
    }
};

/// These numbers were the fastest when measured. A large image gives each block many steps, so a
/// smaller share of them is fixed in advance, and tiles are larger.
template <class Chunks>
StripPlan strip_plan(const ByteRows& rows, unsigned blocks) {
    StripPlan plan{};
    plan.strips = static_cast<int>(ceil_divide(rows.out_bytes, Chunks::kStripBytes));
    plan.steps = static_cast<int>(ceil_divide(rows.job.out_height, kStageRows));
    const bool is_large = std::int64_t{plan.strips} * plan.steps > 40 * std::int64_t{blocks};
    plan.shared_steps = plan.steps * (is_large ? 80 : 95) / 100;
    plan.tile_steps = is_large ? 4 : 2;
    plan.slots = is_large ? 12 : 9;
    return plan;
}

/// A kernel for rows that begin as Chunks says. Its `in` describes them.
template <class Chunks, class Kernel>
BandKernel strip_blocks(Kernel kernel, int threads, const Job& job, const Band& band) {
    const DeviceRows in = rows_for_windows(job, Chunks::kLead);
    ByteRows rows = byte_rows(job, band);
    rows.in_pitch = static_cast<int>(packed_pitch(in, rows.last - rows.first));
    // One block per multiprocessor, because two need too many registers.
    const unsigned blocks = PreparedKernel::resident_blocks(kernel, threads);
    StripPlan plan = strip_plan<Chunks>(rows, blocks);
    plan.lead = job.border.rule == BorderRule::valid ? Chunks::kReach : Chunks::kLead;
    // compute-sanitizer assumes that columns do not overlap, and would report that they are read
    // past the last slot. Memory behind it keeps it quiet.
    constexpr std::size_t kRoom = Chunks::kStripBytes * Chunks::Part::kChunks;
    const std::size_t shared =
        sizeof(RingState) + Chunks::kSkew + plan.slots * Chunks::kStageBytes + kRoom;
    PreparedKernel launch;
    launch.prepare(kernel, {dim3(blocks), dim3(threads), shared});
    const auto memory = std::make_shared<WarpgroupMemory<Chunks>>(job, plan.lead);
    const auto on_stream = [=](const DeviceBand& at, cudaStream_t stream) {
        StripPlan here = plan;
        here.d_next = memory->next();
        kernel<<<blocks, threads, shared, stream>>>(rows_at(rows, at), here, memory->filter);
    };
    return {on_stream, in, packed_output_rows(), launch.kernel_resources(), launch.grid};
}

}  // namespace convolab::tensor_cores
