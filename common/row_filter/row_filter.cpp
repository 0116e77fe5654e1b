// SPDX-License-Identifier: MIT
#include "common/row_filter/row_filter.hpp"

#include "common/convolution/padding.hpp"
#include "common/convolution/renormalise.hpp"

namespace convolab {
namespace {

bool is_stored(const Image& image) {
    return image.type() == PixelType::uint8 && image.layout() == Layout::interleaved;
}

}  // namespace

RowFilter::RowFilter(const Computation& job)
    : job_(job),
      converted_(is_stored(job.image())
                     ? Image()
                     : convert(job.image(), PixelType::uint8, Layout::interleaved)),
      image_(is_stored(job.image()) ? job.image() : converted_),
      filter_(job.filter),
      border_(job.border),
      out_samples_(job.out_width() * image_.channels()),
      line_samples_(out_samples_ + 2LL * filter_.radius() * image_.channels()) {
    check_possible(job);
    const std::int64_t p = filter_.radius();
    for (std::int64_t x = -p; x < 0; ++x)
        edge_source_.push_back(source_index(border_.rule, x, image_.width()));
    for (std::int64_t x = image_.width(); x < image_.width() + p; ++x)
        edge_source_.push_back(source_index(border_.rule, x, image_.width()));
    const Isa isa = choose_isa();
    plan_ = make_plan(filter_, image_.channels(), isa);
    if (plan_.is_plain()) return;
#ifdef __x86_64__
    kernels_ = isa == Isa::avx512vnni ? &avx512vnni_kernels()
               : isa == Isa::avx512   ? &avx512_kernels()
                                      : &avx2_kernels();
#endif
    split_columns();
}

RowFilter::Scratch RowFilter::make_scratch() const {
    Scratch scratch;
    if (border_.rule == BorderRule::renormalise) scratch.frame = frame_scratch(job_);
    const auto k = static_cast<std::size_t>(filter_.ksize());
    const bool plain = plan_.is_plain();
    if (!plain) {
        scratch.memory.resize(static_cast<std::size_t>(scratch_bytes()));
        return scratch;
    }
    const bool direct = plan_.row.empty();
    scratch.samples.resize((direct ? k : 1) * static_cast<std::size_t>(line_samples_));
    if (direct) return scratch;
    const std::size_t sums = k * static_cast<std::size_t>(out_samples_);
    if (plan_.sums != Plan::Sums::wide)
        scratch.row_sums.resize(sums);
    else
        scratch.wide_sums.resize(sums);
    return scratch;
}

std::string RowFilter::form() const {
    const char* const names[] = {"plain", "binomial", "separable", "direct"};
    std::string name = names[plan_.kind.index()];
    if (kernels_ == nullptr) return name;
    return name + ", vectors of " + std::to_string(kernels_->width) + " bytes";
}

void RowFilter::rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const {
    rows(y0, y1, {image_.data<std::uint8_t>(), image_.width() * image_.channels()},
         {out.data<std::uint8_t>(), out_samples_}, scratch);
}

void RowFilter::rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
                     Scratch& scratch) const {
    if (plan_.is_plain())
        plain_rows(y0, y1, in, out, scratch);
    else
        block_rows(y0, y1, in, out, scratch);
    renormalise_frame(job_, in, out, y0, y1, scratch.frame);
}

}  // namespace convolab
