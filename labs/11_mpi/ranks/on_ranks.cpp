// SPDX-License-Identifier: MIT
// From the driver to the ranks: the Convolver of a variant of this lab.
#include <algorithm>
#include <utility>

#include "common/convolution/padding.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "labs/11_mpi/ranks/backend.hpp"
#include "labs/11_mpi/ranks/passes.hpp"
#include "labs/11_mpi/ranks/rank_work.hpp"
#include "labs/11_mpi/ranks/workers.hpp"

namespace convolab::mpi {
namespace {

bool is_stored(const Image& image) {
    return image.type() == PixelType::uint8 && image.layout() == Layout::interleaved;
}

class OnRanks final : public Convolver {
  public:
    OnRanks(const std::string& variant, const Job& job, int devices)
        : job_(job),
          whole_(job.image().width(), job.image().height(), job.image().channels()),
          devices_(devices),
          work_(variant, rank_job(job)) {}

    void upload() override {
        const Image& image = job_.image();
        if (!is_stored(image)) converted_ = convert(image, PixelType::uint8, Layout::interleaved);
        work_.distribute(is_stored(image) ? image : converted_);
    }
    void run() override {
        times_ = work_.run();
        set_last_run_ms(times_.total_ms);
    }
    void download() override { work_.collect(whole_); }
    const Image& result() override {
        if (job_.border.rule != BorderRule::valid) return whole_;
        const std::int64_t lost = std::int64_t{1} * job_.settings.passes * job_.filter.radius();
        cut_ = crop(whole_, lost, lost, whole_.width() - 2 * lost, whole_.height() - 2 * lost);
        return cut_;
    }
    void poison() override {
        whole_.poison();
        work_.poison();
    }
    int devices() const override { return std::max(1, devices_); }
    std::optional<RankTimes> rank_times() const override { return times_.parts; }

  private:
    Job job_;
    Image converted_;    ///< empty if the job's image is interleaved bytes
    Image whole_, cut_;  ///< the output; with border `valid` before it is cut, and after
    int devices_;        ///< GPUs
    DistributedWork work_;
    RunTimes times_{};
};

/// On rank 0 the picture and the output, in `scatter` twice; on all together three copies.
MemoryNeed memory_of_ranks(const Job& job) {
    return {7 * static_cast<std::int64_t>(job.image().bytes()), 0};
}

}  // namespace

Variant rank_variant(Variant variant, MakeWork make, Require require) {
    add_maker(variant.name, make);
    variant.uses |= kUsesRanks | kUsesPasses;
    variant.operation = &passes_of_a_filter();
    if (!variant.memory) variant.memory = memory_of_ranks;
    if (!variant.backend) variant.backend = &on_ranks(cpu_backend());
    variant.make = [name = variant.name, require, backend = variant.backend](const Job& job) {
        check_possible(job);
        require_output(job);
        require(rank_job(job));
        return std::make_unique<OnRanks>(name, job, std::min(job.settings.ranks, backend->gpus()));
    };
    return variant;
}

}  // namespace convolab::mpi
