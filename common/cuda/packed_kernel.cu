// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "common/convolution/padding.hpp"
#include "common/cuda/packed_kernel.hpp"

namespace convolab {
namespace {

constexpr std::int64_t kMaxBlocks = 65535;  // of a grid in y
constexpr int kMaxRowsPerWave = 24;         // above it: several waves

class PackedConvolver final : public CudaConvolver {
  public:
    PackedConvolver(const Job& job, BandKernel kernel)
        : CudaConvolver(job, {input_for(job, PixelType::uint8), 0, kernel.in},
                        {output_for(job, PixelType::uint8), 0, kernel.out}),
          kernel_(std::move(kernel)) {}
    KernelResources resources() const override { return kernel_.resources; }

  private:
    void launch() override { kernel_.launch(d_in<std::uint8_t>(), d_out<std::uint8_t>(), nullptr); }

    BandKernel kernel_;
};

/// As cuda_memory(), with rows rounded up to 128 bytes and, where that changes them, room for an
/// image as the host has it.
MemoryNeed packed_memory(const Job& job) {
    MemoryNeed need = cuda_memory(job);
    const std::int64_t line = packed_output_rows().line;
    need.device += 2 * line * (job.image().height() + job.out_height());
    const auto together = [&](std::int64_t width, std::int64_t height) {
        const std::int64_t row = width * job.image().channels();
        return row % line != 0 || job.border.rule == BorderRule::valid ? row * height : 0;
    };
    need.device += std::max(together(job.image().width(), job.image().height()),
                            together(job.out_width(), job.out_height()));
    return need;
}

}  // namespace

LaunchShape strip_shape(ByteRows& rows, int resident_blocks, int strip_bytes, int stages,
                        int many) {
    const std::int64_t height = rows.job.out_height;
    const int past = strip_bytes == kStripBytes ? 0 : kLaneBytes - 1;  // the row begins in 16 bytes
    const std::int64_t columns = ceil_divide(rows.out_bytes + past, strip_bytes * kStripsPerBlock);
    const std::int64_t per_wave = std::max<std::int64_t>(1, resident_blocks / columns);
    std::int64_t count = ceil_divide(height, per_wave);
    if (ceil_divide(count, stages) * stages > kMaxRowsPerWave) count = many;
    count = ceil_divide(std::max(count, ceil_divide(height, kMaxBlocks)), stages) * stages;
    rows.rows_per_warp = static_cast<int>(count);
    return {dim3(static_cast<unsigned>(columns), static_cast<unsigned>(ceil_divide(height, count))),
            dim3(32, kStripsPerBlock), 0};
}

std::vector<AwkwardPicture> strip_ends() {
    return {{"random:330x13:17", 3, {3, 5, 7, 9}, true}, {"random:640x14:18", 3, {3}, true}};
}

Variant packed_variant(std::string name, std::string idea,
                       BandKernel (*kernel)(const Job& job, const Band& band),
                       std::vector<AwkwardPicture> awkward) {
    return {.name = std::move(name),
            .idea = std::move(idea),
            .make =
                [kernel](const Job& job) {
                    check_possible(job);  // a grid needs rows
                    return std::make_unique<PackedConvolver>(job, kernel(job, whole_image(job)));
                },
            .types = {PixelType::uint8},
            .memory = packed_memory,
            .awkward = std::move(awkward)};
}

}  // namespace convolab
