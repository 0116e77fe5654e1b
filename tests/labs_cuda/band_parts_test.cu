// SPDX-License-Identifier: MIT
// The kernels of bands, run on some rows of a larger buffer. They write only these rows, and need
// only the input rows that the filter reaches.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/cuda/band_kernel.hpp"
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/memory.hpp"
#include "labs/12_tensor/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

constexpr std::uint8_t kUntouched = 0xA5;

/// Output rows from .. end - 1 of the job, from a buffer of all rows. The other output rows stay
/// kUntouched; input rows that the filter does not reach are 0.
std::vector<std::uint8_t> rows_of(BandKernel (*kernel_of)(const Job&, const Band&), const Job& job,
                                  int from, int end) {
    const Image& image = job.image();
    const auto height = static_cast<int>(image.height());
    const std::int64_t row_bytes = image.width() * image.channels();
    const BandKernel kernel = kernel_of(job, {from, end - from, 0, height});
    const std::size_t in_pitch = packed_pitch(kernel.in, row_bytes),
                      out_pitch = packed_pitch(kernel.out, row_bytes);
    std::vector<std::uint8_t> h_in(in_pitch * height, 0);
    const int radius = job.filter.radius();
    for (int y = std::max(from - radius, 0); y < std::min(end + radius, height); ++y)
        std::copy_n(image.data<std::uint8_t>() + y * row_bytes, row_bytes,
                    &h_in[y * in_pitch + kernel.in.lead]);
    const auto d_in = on_device(h_in);
    auto d_out = on_device(std::vector<std::uint8_t>(out_pitch * height, kUntouched));
    kernel.launch(d_in.data() + kernel.in.lead, d_out.data() + from * out_pitch, nullptr);
    CUDA_CHECK(cudaGetLastError());

    const std::vector<std::uint8_t> h_out = on_host(d_out);
    std::vector<std::uint8_t> packed;
    for (int y = 0; y < height; ++y)
        packed.insert(packed.end(), &h_out[y * out_pitch], &h_out[y * out_pitch] + row_bytes);
    return packed;
}

/// What rows_of() should give.
std::vector<std::uint8_t> expected_rows(const Job& job, int from, int end) {
    const Image whole = reference_convolution(job);
    const auto row_bytes = static_cast<std::ptrdiff_t>(whole.width() * whole.channels());
    std::vector<std::uint8_t> rows(whole.bytes(), kUntouched);
    const std::uint8_t* const filtered = whole.data<std::uint8_t>();
    std::copy(filtered + from * row_bytes, filtered + end * row_bytes,
              rows.begin() + from * row_bytes);
    return rows;
}

}  // namespace

TEST_CASE("the kernel of a band on some rows of a buffer writes no others") {
    const Image image = noise(400, 44);  // three strips, one of them away from the left and right
    const Filter filters[] = {make_filter("gaussian", 5), make_filter("box", 7)};  // two bodies
    for (const Filter& filter : filters)
        for (const int from : {0, 7})
            for (int end = from + 1; end <= 44; ++end) {
                Job job = job_of(image, filter, 16, {BorderRule::reflect101});
                for (const int kernel : {1, 2}) {
                    job.settings.kernel = kernel;
                    INFO(filter.name()
                         << ", rows " << from << " to " << end - 1 << ", kernel " << kernel);
                    CHECK((rows_of(band_kernel, job, from, end) == expected_rows(job, from, end)));
                }
            }
}

TEST_CASE("wgmma: a band's kernel needs only the rows under its output") {
    if (device_info().compute_capability / 10 != 9) SKIP_TEST("the GPU has no `wgmma`");
    const Image image = noise(40, 20);
    const Job job = job_of(image, make_filter("box", 3), 16);
    for (const auto& [from, end] : {std::pair{0, 5}, {7, 20}})
        CHECK(
            (rows_of(tensor_cores::wgmma_kernel, job, from, end) == expected_rows(job, from, end)));
}

/// An inner strip of unaligned rows would fail on a GPU only.
TEST_CASE("packed: rows are aligned if t = 0 is at a multiple of 16 in all rows") {
    const Image image(20, 20, 3);
    const std::uintptr_t in = 1024, out = 4096;  // never read
    const auto aligned = [&](Border border, std::uintptr_t in_at, std::uintptr_t out_at,
                             int in_pitch, int out_pitch) {
        const Job job = job_of(image, make_filter("box", 5), 16, border);
        return are_aligned(rows_at(byte_rows(job, whole_image(job)),
                                   {reinterpret_cast<const std::uint8_t*>(in_at),
                                    reinterpret_cast<std::uint8_t*>(out_at), in_pitch, out_pitch}));
    };
    CHECK(aligned({}, in, out, 0, 0));  // the pitches of a lab
    CHECK(aligned({}, in + 16, out, 64, 80));
    CHECK_FALSE(aligned({}, in + 8, out, 64, 64));
    CHECK_FALSE(aligned({}, in, out + 1, 64, 64));
    CHECK_FALSE(aligned({}, in, out, 60, 64));
    CHECK_FALSE(aligned({}, in, out, 64, 72));
    CHECK_FALSE(aligned({BorderRule::valid}, in, out, 64, 64));
    CHECK(aligned({BorderRule::valid}, in + 10, out, 64, 64));
}

TEST_CASE("packed: a band of a large image gets the kernel of a small image") {
    const Image large(7680, 4320, 3), small(7680, 1080, 3);
    const Filter filter = make_filter("gaussian", 5);
    const Job job = job_of(large, filter, 16), small_job = job_of(small, filter, 16);
    const unsigned of_small = packed_band_kernel(small_job, whole_image(small_job)).grid.y;
    CHECK(packed_band_kernel(job, {1080, 1080, 1078, 2162}).grid.y == of_small);
    CHECK(packed_band_kernel(job, whole_image(job)).grid.y != 4 * of_small);
}

}  // namespace convolab::defects
