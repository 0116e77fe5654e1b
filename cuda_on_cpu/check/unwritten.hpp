// SPDX-License-Identifier: MIT
// Memory that was never written: reads of it, elements that a kernel should have written, copies of them
// to the host, and whether the results depend on them.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "gaps.hpp"
#include "keywords.hpp"
#include "shadow.hpp"

namespace cuda_on_cpu::check {

class Unwritten {
  public:
    static bool is_written(const Cell& cell, const Use& now, const Region& region) {
        return cell.is_written() &&
               (region.kind != Region::Kind::shared || cell.write.block == now.block);
    }
    /// A read of what was never written.
    void add(const Use& now, const Access& access, const Region& region) {
        if (known_.insert(now.code).second)
            found_.push_back({now, blockIdx, access, &region, !region.kernel.empty()});
    }
    void forget() {
        found_.clear();
        known_.clear();
    }
    /// The messages of all reads since the last call, except those at the lines `but`.
    std::vector<Finding> take(const Launch& launch, const std::set<std::string>& but);

  private:
    struct Read {
        Use use;
        uint3 block;
        Access access;
        const Region* region;
        bool has_writer;  // a kernel has written other bytes of it
    };
    std::vector<Read> found_;        // of each place in the program the first
    std::set<std::uint32_t> known_;  // those places, and of earlier launches
};

// Structs that a thread copies whole. Padding and members that nobody has written count as unwritten
// in the copy, too. If the thread does not copy the struct, it has read them.
class CopiedStructs {
  public:
    explicit CopiedStructs(Unwritten& unwritten) : unwritten_(unwritten) {}
    static constexpr std::size_t largest = 64;  ///< bytes
    /// The thread reads bytes, of which the ones with a bit in `missing` were never written.
    void read(const Use& now, const Access& access, const Region& region, std::uint64_t missing) {
        Struct& one = read_[next_++ % std::size(read_)];
        forget(one);
        one = {now, access, &region, missing, {}};
        std::memcpy(one.bytes, access.address, access.bytes);
    }
    /// The end of a block.
    void forget() {
        settle();
        for (Struct& one : read_) forget(one);
        next_ = 0;
    }
    /// The thread is about to write bytes.
    void write(const Use& now, const Access& access, Region& region) {
        open_ = {access.address, access.bytes, &region, now};
    }
    /// The last write is done.
    void settle() {
        if (open_.address != nullptr && next_ > 0) mark();
    }

  private:
    void mark();
    struct Struct {
        Use use;
        Access access{};
        const Region* region = nullptr;  // none: it is copied, or none is
        std::uint64_t missing = 0;
        char bytes[largest] = {};
    };
    void forget(Struct& one) {
        if (one.region != nullptr) unwritten_.add(one.use, one.access, *one.region);
        one = {};
    }
    Unwritten& unwritten_;
    Struct read_[8];  // the last ones
    std::size_t next_ = 0;
    struct {
        const char* address = nullptr;
        std::size_t size = 0;
        Region* region = nullptr;
        Use now;
    } open_;
};

// Elements that a kernel should have written and has not.
class Coverage {
  public:
    void begin_kernel(const Launch& launch);
    void write(Region& region, const Access& access, std::uint64_t thread);
    /// The kernel uses an atomic function: it may write a list whose length is not known before.
    void atomic() { uses_atomics_ = true; }
    /// A message about a kernel that has written all elements of a buffer except those at its end
    /// that do not fill a block. Empty: none.
    Finding end_kernel(const Launch& launch);
    /// Notes a copy, to the host or not, that takes as few bytes as a pointer has, or as there are
    /// elements, of all or of a row. It is a mistake if nothing else uses them.
    static void note_use(Region& region, std::uintptr_t from, const Rows& rows,
                         const std::function<Finding()>& line);
    /// A note about a copy to the host that brings elements which no kernel has touched, because
    /// there were fewer threads; empty: none.
    static Finding untouched(const Region& region, const Rows& rows, const Finding& line);

    const std::set<Region*>& written() const { return written_; }

  private:
    std::uint32_t launch_ = 0;
    dim3 grid_, block_;
    bool uses_atomics_ = false;
    Finding kernel_;
    std::set<Region*> written_;  // by this launch
};

// Bytes that a copy has brought to the host and that were never written: this is no mistake as long
// as the host does not look at them.
class UnwrittenCopies {
  public:
    /// A copy has brought these gaps. `text` tells of them; of the end of a list, or of members
    /// of structs, only if the host looks.
    void add(const Finding& text, bool is_list, const Gaps& gaps, const char* to, const char* from,
             const Rows& rows);
    /// Quick: whether look() may find something.
    bool is_near(std::uintptr_t address) const { return address - low_ < high_ - low_; }
    /// The host is about to read these bytes: the text, once, if it looks at a gap.
    Finding look(std::uintptr_t address, std::size_t bytes);
    /// The notes about those that the host has not looked at.
    std::vector<Finding> notes() const;

  private:
    struct Part {
        std::uintptr_t end;
        std::uintptr_t shift;  // from the device's address to the host's
        std::size_t text;
    };
    struct Text {
        Finding text;
        bool is_note, is_of_members;
    };
    std::map<std::uintptr_t, Part> parts_;  // by the beginning, at the host
    std::vector<Text> texts_;
    std::uintptr_t low_ = 0, high_ = 0;
    std::uintptr_t clean_from_ = 0, clean_to_ = 0;  // no part is there
};

// A number for all results of the device together: it shows whether two runs have the same results.
// Reading memory that was never written is a mistake only if the results depend on it.
class Results {
  public:
    /// The host gets these bytes.
    void add(std::uintptr_t begin, std::size_t bytes) {
        const auto* const first = reinterpret_cast<const unsigned char*>(begin);
        std::size_t i = 0;
        for (std::uint64_t word = 0; i + sizeof word <= bytes; i += sizeof word) {
            std::memcpy(&word, first + i, sizeof word);
            mix(word);
        }
        for (; i < bytes; ++i) mix(first[i]);
    }
    /// What is added up in another order differs by a small part of it.
    void add_sum(double sum) { largest_ = std::fmax(largest_, std::fabs(sum)); }
    /// A kernel has written them that uses atomic functions, which may hand out places in a list.
    void add_list() { has_list_ = true; }
    /// The program has pinned or managed memory.
    void add_host_visible() { has_host_visible_ = true; }
    /// For the judge.
    void print() const {
        if (is_checked())
            write_record("results\t" + std::to_string(hash_) + '\t' + std::to_string(largest_) +
                         (has_list_ ? "\t1" : "\t0") + (has_host_visible_ ? "\t1\n" : "\t0\n"));
    }

  private:
    // FNV-1a of whole words; its product alone would carry no bit down.
    void mix(std::uint64_t word) {
        hash_ = (hash_ ^ word) * 1099511628211U;
        hash_ ^= hash_ >> 32U;
    }
    std::uint64_t hash_ = 14695981039346656037U;
    double largest_ = 0;
    bool has_list_ = false, has_host_visible_ = false;
};

}  // namespace cuda_on_cpu::check
