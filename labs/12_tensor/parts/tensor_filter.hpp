// SPDX-License-Identifier: MIT
// The filter and the rows as the kernels of `pipeline` and `tensor` get them: the filter is in
// device memory, and the rows are stored so that bulk copies can read them.
#pragma once

#include <memory>
#include <vector>

#include "common/cuda/byte_rows.hpp"
#include "common/cuda/float_division.hpp"
#include "common/cuda/memory.hpp"
#include "common/cuda/unaligned.hpp"
#include "labs/12_tensor/parts/lane_matrix.hpp"
#include "labs/12_tensor/parts/row_ring.hpp"

namespace convolab::tensor_cores {

/// Pictures that fill each slot of a ring again, tall and wide ones, and that end a little after the
/// 768 bytes of a block, or with half of one.
inline std::vector<AwkwardPicture> ring_pictures() {
    return {{"random:24x520:14"},
            {"random:600x480:15", 3, {3}},
            {"random:258x600:16", 3, {3}},
            {"random:266x5:23", 3, {3, 5, 7, 9}, true},
            {"random:640x14:18", 3, {3}, true},
            {"random:798x9:19", 1, {5}, true},
            {"random:199x9:20", 4, {7}, true}};
}

/// Sets where the rows begin: `lead` bytes before the first output byte is a multiple of 16. With
/// border `valid` that is the first pixel.
inline DeviceRows rows_for_windows(const Job& job, int lead) {
    DeviceRows rows = packed_input_rows(job);
    rows.lead = job.border.rule == BorderRule::valid ? 0 : lead % 16;
    return rows;
}

/// Launches the first of these kernels whose rows begin as those of the band do, or the last one.
inline BandKernel by_address(const std::vector<BandKernel>& kernels) {
    BandKernel chosen = kernels.front();
    chosen.launch_at = [kernels](const DeviceBand& at, cudaStream_t stream) {
        const bool is_aligned = past_16(at.d_out) == 0 && (at.in_pitch | at.out_pitch) % 16 == 0;
        for (const BandKernel& kernel : kernels)
            if (&kernel == &kernels.back() ||
                (is_aligned && past_16(at.d_in) == kernel.in.lead % 16))
                return kernel.launch_at(at, stream);
    };
    return chosen;
}

/// Bytes from what is copied for a column to the column.
template <class Form>
int lead_of(const Job& job) {
    return Form::kBefore > 0 ? 16 : job.filter.radius() * job.image().channels();
}

/// A parameter of the kernel.
template <class Form>
struct TensorFilter {
    const Form* d_matrix;
    const int4* d_start;             ///< four sums start with these
    const unsigned char* d_outside;  ///< what is copied if the border rule has no row
    int lead;                        ///< what lead_of() says
    FloatDivision division;
};

/// Keeps the filter in device memory as long as a copy of this exists.
template <class Form>
class FilterOnDevice {
  public:
    explicit FilterOnDevice(const Job& job)
        : FilterOnDevice(Toeplitz(job.filter, job.image().channels())) {
        filter_.lead = lead_of<Form>(job);
        const auto outside = static_cast<unsigned char>(geometry_of(job).outside);
        filter_.d_outside = upload(d_outside_, std::vector<unsigned char>(kSlotPitch, outside));
    }
    const TensorFilter<Form>& get() const { return filter_; }

  private:
    explicit FilterOnDevice(const Toeplitz& matrix) {
        filter_.division = float_division(matrix.divisor(), matrix.largest_sum());
        filter_.d_matrix = upload(d_matrix_, lane_matrix<Form>(matrix));
        const int start = filter_.division.start;
        filter_.d_start =
            upload(d_start_, std::vector<int4>{make_int4(start, start, start, start)});
    }
    template <class T>
    static const T* upload(std::shared_ptr<DeviceBuffer<T>>& d_to, const std::vector<T>& from) {
        d_to = std::make_shared<DeviceBuffer<T>>(from.size());
        d_to->upload(from.data());
        return d_to->data();
    }

    std::shared_ptr<DeviceBuffer<Form>> d_matrix_;
    std::shared_ptr<DeviceBuffer<int4>> d_start_;
    std::shared_ptr<DeviceBuffer<unsigned char>> d_outside_;
    TensorFilter<Form> filter_{};
};

}  // namespace convolab::tensor_cores
