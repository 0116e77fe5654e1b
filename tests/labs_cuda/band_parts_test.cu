// SPDX-License-Identifier: MIT
// The kernels of bands, run on some rows of a larger buffer. They write only these rows, and need
// only the input rows that the filter reaches.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/cuda/band_kernel.hpp"
#include "common/cuda/byte_rows.hpp"
#include "common/cuda/memory.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

constexpr std::uint8_t kUntouched = 0xA5;

/// Output rows from .. end - 1 of the job, from a buffer of all rows. The other output rows stay
/// kUntouched; input rows that the filter does not reach are 0.
std::vector<std::uint8_t> rows_of(const Job& job, int from, int end) {
    const Image& image = job.image();
    const auto height = static_cast<int>(image.height());
    const auto row_bytes = static_cast<std::size_t>(image.width() * image.channels());
    const auto kernel = band_kernel(job, {from, end - from, 0, height});
    const std::size_t pitch = packed_pitch(kernel.in, static_cast<std::int64_t>(row_bytes));
    const auto rows = static_cast<std::size_t>(height);

    std::vector<std::uint8_t> h_in(pitch * rows, 0), h_out(pitch * rows, kUntouched);
    const int radius = job.filter.radius();
    for (int y = std::max(from - radius, 0); y < std::min(end + radius, height); ++y)
        std::memcpy(&h_in[static_cast<std::size_t>(y) * pitch],
                    image.data<std::uint8_t>() + static_cast<std::size_t>(y) * row_bytes,
                    row_bytes);
    DeviceBuffer<std::uint8_t> d_in(h_in.size()), d_out(h_out.size());
    d_in.upload(h_in.data());
    d_out.upload(h_out.data());
    kernel.launch(d_in.data(), d_out.data() + static_cast<std::size_t>(from) * pitch, nullptr);
    CUDA_CHECK(cudaGetLastError());
    d_out.download(h_out.data());

    std::vector<std::uint8_t> packed(row_bytes * rows);
    for (std::size_t y = 0; y < rows; ++y)
        std::memcpy(&packed[y * row_bytes], &h_out[y * pitch], row_bytes);
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
        for (const int from : {0, 1, 7})
            for (int end = from + 1; end <= 44; ++end) {
                Job job = job_of(image, filter, 16, {BorderRule::reflect101});
                for (const int kernel : {1, 2}) {
                    job.settings.kernel = kernel;
                    INFO(filter.name()
                         << ", rows " << from << " to " << end - 1 << ", kernel " << kernel);
                    CHECK((rows_of(job, from, end) == expected_rows(job, from, end)));
                }
            }
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
