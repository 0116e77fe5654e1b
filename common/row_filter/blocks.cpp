// SPDX-License-Identifier: MIT
// How the kernels pass over an image: a band of rows from top to bottom, a group of rows at a time,
// each row in three parts. The whole width goes through before the next group, so that the hardware
// can prefetch along each row; column strips, whose state would stay in the first-level cache,
// leave a row every few hundred bytes.
#include <algorithm>
#include <cstring>
#include <memory>

#include "common/row_filter/row_filter.hpp"

namespace convolab {

/// The work of one thread on output rows y0 .. y1 - 1.
class RowFilter::Band {
  public:
    Band(const RowFilter& filter, std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
         Scratch& scratch)
        : f_(filter),
          y0_(y0),
          y1_(y1),
          shift_(f_.border_.rule == BorderRule::valid ? 0 : f_.filter_.radius()),
          slots_(f_.plan_.is_direct() ? f_.plan_.ksize + 1 : f_.plan_.group),
          block_state_(state_bytes(f_.plan_, f_.kernels_->width)),
          in_(in),
          out_(out),
          ahead_(f_.plan_.is_direct() ? 0 : f_.plan_.group * in.pitch),
          stream_(f_.stream_ && out.pitch % kLine == 0 &&
                  reinterpret_cast<std::uintptr_t>(out.first) % kLine == 0),
          ready_(y0) {
        void* memory = scratch.memory.data();
        std::size_t space = scratch.memory.size();
        state_ = static_cast<std::uint8_t*>(std::align(kLine, space - kLine, memory, space));
        edges_ = state_ + (f_.left_ + f_.middle_ + f_.right_) * block_state_;
        spare_ = edges_ + std::max(f_.plan_.ksize + 1, f_.plan_.group) * f_.edge_bytes_;
    }

    /// Reads source rows first .. first + count - 1; writes output rows y .. y + made - 1, those
    /// outside the band to a spare row.
    void group(std::int64_t first, int count, std::int64_t y, int made) {
        for (ready_ = std::max(ready_, first); ready_ < first + count; ++ready_) {
            sources_[next_] =
                f_.source(ready_ - shift_, in_, ahead_, edges_ + next_ * f_.edge_bytes_);
            next_ = next_ + 1 == slots_ ? 0 : next_ + 1;
        }
        ++groups_;
        const std::int64_t width = f_.kernels_->width;
        const Kernel kernel = find_kernel(*f_.kernels_, f_.plan_, made, stream_);
        part(kernel, count, y, made, &Source::left, {0, 0, f_.left_}, 0);
        part(kernel, count, y, made, &Source::middle, {f_.left_ * width, f_.left_, f_.middle_},
             ahead_);
        part(kernel, count, y, made, &Source::right,
             {f_.right_start_, f_.left_ + f_.middle_, f_.right_}, 0);
        if (!f_.narrow_) return;
        for (int i = 0; i < made; ++i)
            if (in_band(y + i))
                std::memcpy(out_.row(y + i), to_[i], static_cast<std::size_t>(f_.out_samples_));
    }

  private:
    struct Part {
        std::int64_t sample, block, blocks;
    };

    bool in_band(std::int64_t y) const { return y >= y0_ && y < y1_; }

    void part(Kernel kernel, int count, std::int64_t y, int made,
              const std::uint8_t* Source::*source, Part part, std::int64_t ahead) {
        if (part.blocks == 0) return;
        // Row first + count - 1 is the one before next_.
        int slot = next_ < count ? next_ + slots_ - count : next_ - count;
        for (int i = 0; i < count; ++i, slot = slot + 1 == slots_ ? 0 : slot + 1)
            from_[i] = sources_[slot].*source;
        for (int i = 0; i < made; ++i) {
            std::uint8_t* row = spare_ + (f_.narrow_ ? i * round_up(f_.out_samples_, kLine) : 0);
            if (!f_.narrow_ && in_band(y + i)) row = out_.row(y + i);
            to_[i] = row + part.sample;
        }
        const auto* separable = std::get_if<Separable>(&f_.plan_.kind);
        const auto pairs = separable ? static_cast<std::int64_t>(separable->even_taps.size()) : 0;
        kernel(f_.plan_, {from_, to_, state_ + part.block * block_state_, part.blocks,
                          static_cast<int>(pairs ? groups_ % pairs : 0), stream_, ahead});
    }

    const RowFilter& f_;
    std::int64_t y0_, y1_;
    int shift_;  // output row y needs the source rows y - shift .. y - shift + K - 1
    int slots_;
    std::int64_t block_state_;
    InRows in_;
    OutRows out_;
    std::int64_t ahead_;  // bytes from a row to the same row of the next group, or 0
    bool stream_;
    std::int64_t ready_;  // source rows before this one have their edges
    int next_ = 0;        // slot of source row ready_
    std::int64_t groups_ = 0;
    std::uint8_t *state_, *edges_, *spare_;
    static constexpr int kMaxSlots = 256;  // K + 1 of the largest filter
    Source sources_[kMaxSlots];            // a ring buffer
    const std::uint8_t* from_[kMaxSlots];
    std::uint8_t* to_[kGroup];
};

void RowFilter::block_rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
                           Scratch& scratch) const {
    if (y0 >= y1) return;
    const int k = plan_.ksize;
    Band band(*this, y0, y1, in, out, scratch);
    if (plan_.is_direct()) {
        for (std::int64_t y = y0; y < y1; y += 2) band.group(y, k + 1, y, 2);
        return;
    }
    // The first K - 1 source rows fill the state; the output rows meanwhile are outside the band.
    for (int left = k - 1; left > 0;) {
        const int made = plan_.rows_at_once(left);
        band.group(y0 + k - 1 - left, made, y0 - left, made);
        left -= made;
    }
    for (std::int64_t y = y0; y < y1;) {
        const int made = plan_.rows_at_once(y1 - y);
        band.group(y + k - 1, made, y, made);
        y += made;
    }
    if (stream_) kernels_->fence();
}

}  // namespace convolab
