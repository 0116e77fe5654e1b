// SPDX-License-Identifier: MIT
// What tools/library/bench.sh times, as variants of a lab: the library's Gpu on the views that
// programs have, and NPP. Also alone, with all options of a lab:
//
//     build/tools/library/lab bench --filter edge --ksize 9 --size 1918x1080 --cold --kernel-only
//
// A row's column `reason` has the form that the library chose: what which() returns.
#include "common/base/error.hpp"
#include "common/driver/run_lab.hpp"
#include "library/convolab.hpp"
#include "tools/library/views.hpp"

namespace convolab::library_bench {
namespace {

class Library final : public OnViews {
  public:
    Library(const Job& job, Rows rows)
        : OnViews(job, rows),
          gpu_({.width = job.image().width(),
                .height = job.image().height(),
                .channels = job.image().channels(),
                .taps = job.filter.taps(),
                .divisor = job.filter.divisor(),
                .border = to_string(job.border)}) {}
    void run() override { gpu_.run(in(), out()); }
    KernelResources resources() const override { return {.form = gpu_.which(in(), out())}; }

  private:
    lib::Input in() const {
        return {d_in_.data(), job_.image().width(), job_.image().height(), job_.image().channels(),
                static_cast<std::int64_t>(d_in_.pitch())};
    }
    lib::Output out() const {
        return {d_out_.data(), job_.out_width(), job_.out_height(), job_.image().channels(),
                static_cast<std::int64_t>(d_out_.pitch())};
    }

    lib::Gpu gpu_;
};

Variant library_on(const std::string& name, const std::string& idea, Rows rows) {
    return {.name = name,
            .idea = idea,
            .make =
                [rows](const Job& job) {
                    if (job.filter.ksize() > 9)
                        throw Unsupported("The library's Gpu takes filters of side 1 to 9.");
                    return std::make_unique<Library>(job, rows);
                },
            .memory = view_memory};
}

const Variant pitched =
    library_on("pitched", "the library, rows of cudaMallocPitch", Rows::pitched);
const Variant tight =
    library_on("tight", "the library, rows without gaps, at an odd address", Rows::tight);

}  // namespace
}  // namespace convolab::library_bench

int main(int argc, char** argv) {
    using namespace convolab::library_bench;
    return convolab::run_lab(argc, argv,
                             {"library",
                              {&pitched, &tight,
#ifdef CONVOLAB_NPP
                               &npp
#endif
                              },
                              &convolab::gpu_backend(),
                              {},
                              &pitched});
}
