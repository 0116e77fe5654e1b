// SPDX-License-Identifier: MIT
// NPP's FilterBorder on rows of cudaMallocPitch, with the same integer taps and the same divisor.
// It rounds the quotient in another way, so a sample may differ by 1; with divisor 1 it may not.
#include "common/base/error.hpp"
#include "common/variant/lab.hpp"
#include "tools/library/views.hpp"
#include "tools/peers/npp.hpp"

namespace convolab::library_bench {
namespace {

class Npp final : public OnViews {
  public:
    explicit Npp(const Job& job)
        : OnViews(job, Rows::pitched),
          filter_(job.image().channels() == 1 ? nppiFilterBorder_8u_C1R_Ctx
                                              : nppiFilterBorder_8u_C3R_Ctx),
          d_taps_(job.filter.taps().size()),
          context_(peer::default_stream()) {
        if (job.border.rule != BorderRule::replicate)
            throw Unsupported("NPP's FilterBorder is timed with border replicate only.");
        d_taps_.upload(job.filter.taps().data());
    }
    void run() override {
        const int side = job_.filter.ksize();
        const NppiSize size{static_cast<int>(job_.out_width()),
                            static_cast<int>(job_.out_height())};
        peer::require_success(
            "FilterBorder",
            filter_(d_in_.data(), static_cast<int>(d_in_.pitch()), size, {0, 0}, d_out_.data(),
                    static_cast<int>(d_out_.pitch()), size, d_taps_.data(), {side, side},
                    {side / 2, side / 2}, job_.filter.divisor(), NPP_BORDER_REPLICATE, context_));
    }
    KernelResources resources() const override {
        return {.form = "NPP " + peer::npp_version() + " FilterBorder"};
    }

  private:
    decltype(&nppiFilterBorder_8u_C3R_Ctx) filter_;
    DeviceBuffer<Npp32s> d_taps_;
    NppStreamContext context_;
};

const Operation other_rounding = [] {
    Operation operation;
    operation.allowed_difference = [](const Job& job) {
        return job.filter.divisor() == 1 ? 0.0 : 1.0;
    };
    return operation;
}();

}  // namespace

const Variant npp{.name = "npp",
                  .idea = "NPP's FilterBorder, rows of cudaMallocPitch",
                  .make = [](const Job& job) { return std::make_unique<Npp>(job); },
                  .channels = {3, 1},
                  .memory = view_memory,
                  .operation = &other_rounding};

}  // namespace convolab::library_bench
