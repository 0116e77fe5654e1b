// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// How RowFilter leads the kernels over an image: a band of rows from top to bottom, a group of rows
// at a time, each row in three parts. Column strips, with a state that stays in the first-level
// cache, are slower by a factor of up to two for 16 KiB of state: a row is then left for the next
// one every few hundred bytes, and the hardware no longer fetches ahead.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>

#include "labs/01_sequential/row_filter/row_filter.hpp"

namespace convolab {
namespace {

constexpr std::int64_t kLine = 64;

/// Bytes of the last-level cache that one core reaches; 32 MiB where the system does not tell.
/// (sysconf's answer, in glibc 2.36, is that of all cores of a socket.)
std::int64_t last_level_cache() {
    std::ifstream size("/sys/devices/system/cpu/cpu0/cache/index3/size");  // such as 32768K
    std::int64_t kib = 0;
    return (size >> kib && kib > 0 ? kib : 32768) << 10;
}

std::int64_t round_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

bool is_direct(const Plan& plan) {
    return plan.kind == Plan::Kind::direct16 || plan.kind == Plan::Kind::direct32;
}

}  // namespace

void RowFilter::split_columns() {
    const std::int64_t width = kernels_->width;
    const std::int64_t row_bytes = image_.width() * image_.channels();
    const bool valid = border_.rule == BorderRule::valid;
    const std::int64_t reach = valid ? 0 : (line_samples_ - out_samples_) / 2;
    for (const std::int64_t x : edge_source_)
        for (std::int64_t i = 0; i < image_.channels(); ++i)
            edge_samples_.push_back(x < 0 ? -1 : x * image_.channels() + i);
    constant_row_.assign(static_cast<std::size_t>(row_bytes),
                         static_cast<std::uint8_t>(border_.value));
    left_ = round_up(reach, width) / width;
    narrow_ = out_samples_ < (2 * left_ + 2) * width + 2 * reach;
    if (narrow_) {
        left_ = round_up(out_samples_, width) / width;
    } else {
        middle_ = (out_samples_ - reach - left_ * width) / width;
        right_ = round_up(out_samples_ - (left_ + middle_) * width, width) / width;
        right_start_ = out_samples_ - right_ * width;
    }
    edge_bytes_ = round_up((left_ + right_) * width + 2 * (line_samples_ - out_samples_), kLine);
    ahead_ = is_direct(plan_) ? 0 : plan_.group * row_bytes;
    // Stores past the caches pay where image and output do not fit the last of them, and cost up to
    // 15 % where they do. They need rows of whole blocks, and blocks of whole lines: the two halves
    // of a line, written with a group of other rows between them, go to memory one by one (several
    // times the time).
    stream_ = !narrow_ && width % kLine == 0 && out_samples_ % width == 0 &&
              2 * row_bytes * image_.height() > last_level_cache();
}

/// State, edges of the rows a kernel reads, and rows for output that nobody wants: those of a group
/// past the end of the band, and those of a narrow image on their way.
std::int64_t RowFilter::scratch_bytes() const {
    return kLine + (left_ + middle_ + right_) * state_bytes(plan_, kernels_->width) +
           std::max(plan_.ksize + 1, plan_.group) * edge_bytes_ +
           (narrow_ ? plan_.group : 1) * round_up(out_samples_, kLine);
}

/// Where row y of the image, or what stands for it, is met by the first tap of the left, middle and
/// right blocks. `edge` is where the outer ones get a copy with their border.
RowFilter::Source RowFilter::source(std::int64_t y, std::uint8_t* edge) const {
    if (narrow_) {
        load(y, edge);
        return {edge, nullptr, nullptr};
    }
    const std::int64_t c = image_.channels();
    const std::int64_t row = source_index(border_.rule, y, image_.height());
    const std::uint8_t* in =
        row < 0 ? constant_row_.data() : image_.data<std::uint8_t>() + row * image_.width() * c;
    if (border_.rule == BorderRule::valid) return {in, in, in + right_start_};
    const std::int64_t reach = (line_samples_ - out_samples_) / 2;
    const std::int64_t left_samples = left_ * kernels_->width + reach;
    const std::int64_t right_samples = out_samples_ - right_start_ + reach;
    __builtin_prefetch(in + ahead_);
    __builtin_prefetch(in + right_start_ + ahead_);
    __builtin_prefetch(in + out_samples_ - 1 + ahead_);
    std::uint8_t* right = edge + left_samples + reach;
    std::memcpy(edge + reach, in, static_cast<std::size_t>(left_samples));
    std::memcpy(right, in + right_start_ - reach, static_cast<std::size_t>(right_samples));
    const auto constant = static_cast<std::uint8_t>(border_.value);
    const std::int64_t* at = edge_samples_.data();
    for (std::int64_t s = 0; s < reach; ++s, ++at) edge[s] = *at < 0 ? constant : in[*at];
    right += right_samples;
    for (std::int64_t s = 0; s < reach; ++s, ++at) right[s] = *at < 0 ? constant : in[*at];
    return {edge, in + left_ * kernels_->width - reach, right - right_samples};
}

/// The work of one thread on output rows y0 .. y1 - 1.
class RowFilter::Band {
  public:
    Band(const RowFilter& filter, std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch)
        : f_(filter),
          y0_(y0),
          y1_(y1),
          shift_(f_.border_.rule == BorderRule::valid ? 0 : f_.filter_.radius()),
          slots_(is_direct(f_.plan_) ? f_.plan_.ksize + 1 : f_.plan_.group),
          block_state_(state_bytes(f_.plan_, f_.kernels_->width)),
          out_(out.data<std::uint8_t>()),
          ready_(y0),
          sources_(static_cast<std::size_t>(slots_)),
          from_(static_cast<std::size_t>(slots_)),
          to_(static_cast<std::size_t>(f_.plan_.group)) {
        void* memory = scratch.memory.data();
        std::size_t space = scratch.memory.size();
        state_ = static_cast<std::uint8_t*>(std::align(kLine, space - kLine, memory, space));
        edges_ = state_ + (f_.left_ + f_.middle_ + f_.right_) * block_state_;
        spare_ = edges_ + std::max(f_.plan_.ksize + 1, f_.plan_.group) * f_.edge_bytes_;
    }

    /// Source rows first .. first + count - 1 in; output rows y .. y + made - 1 out, if they are
    /// ours.
    void group(std::int64_t first, int count, std::int64_t y, int made) {
        for (ready_ = std::max(ready_, first); ready_ < first + count; ++ready_) {
            sources_[next_] = f_.source(ready_ - shift_, edges_ + next_ * f_.edge_bytes_);
            next_ = next_ + 1 == slots_ ? 0 : next_ + 1;
        }
        ++groups_;
        const std::int64_t width = f_.kernels_->width;
        const Kernel kernel = f_.kernels_->find(f_.plan_, made, f_.stream_);
        part(kernel, count, y, made, &Source::left, {0, 0, f_.left_}, 0);
        part(kernel, count, y, made, &Source::middle, {f_.left_ * width, f_.left_, f_.middle_},
             f_.ahead_);
        part(kernel, count, y, made, &Source::right,
             {f_.right_start_, f_.left_ + f_.middle_, f_.right_}, 0);
        if (!f_.narrow_) return;
        for (int i = 0; i < made; ++i)
            if (ours(y + i))
                std::memcpy(out_ + (y + i) * f_.out_samples_, to_[i],
                            static_cast<std::size_t>(f_.out_samples_));
    }

  private:
    struct Part {
        std::int64_t sample, block, blocks;
    };

    bool ours(std::int64_t y) const { return y >= y0_ && y < y1_; }

    void part(Kernel kernel, int count, std::int64_t y, int made,
              const std::uint8_t* Source::*source, Part part, std::int64_t ahead) {
        if (part.blocks == 0) return;
        // Row first + count - 1 is the one before next_.
        int slot = next_ < count ? next_ + slots_ - count : next_ - count;
        for (int i = 0; i < count; ++i, slot = slot + 1 == slots_ ? 0 : slot + 1)
            from_[i] = sources_[slot].*source;
        for (int i = 0; i < made; ++i) {
            std::uint8_t* row = spare_ + (f_.narrow_ ? i * round_up(f_.out_samples_, kLine) : 0);
            if (!f_.narrow_ && ours(y + i)) row = out_ + (y + i) * f_.out_samples_;
            to_[i] = row + part.sample;
        }
        const auto pairs = static_cast<std::int64_t>(f_.plan_.even_taps.size());
        kernel(f_.plan_, {from_.data(), to_.data(), state_ + part.block * block_state_, part.blocks,
                          static_cast<int>(pairs ? groups_ % pairs : 0), f_.stream_, ahead});
    }

    const RowFilter& f_;
    std::int64_t y0_, y1_;
    int shift_;  // output row y needs the source rows y - shift .. y - shift + K - 1
    int slots_;
    std::int64_t block_state_;
    std::uint8_t* out_;
    std::int64_t ready_;  // source rows before it have their edges
    int next_ = 0;        // slot of source row ready_
    std::int64_t groups_ = 0;
    std::uint8_t *state_, *edges_, *spare_;
    std::vector<Source> sources_;  // a ring
    std::vector<const std::uint8_t*> from_;
    std::vector<std::uint8_t*> to_;
};

void RowFilter::block_rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const {
    if (y0 >= y1) return;
    const int k = plan_.ksize;
    Band band(*this, y0, y1, out, scratch);
    if (is_direct(plan_)) {
        for (std::int64_t y = y0; y < y1; y += 2) band.group(y, k + 1, y, 2);
        return;
    }
    // The first K - 1 source rows fill the state; what comes out meanwhile is nobody's.
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
