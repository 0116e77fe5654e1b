// SPDX-License-Identifier: MIT
#include "unwritten.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "device/base/undefined.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "kernel_launch.hpp"
#include "names.hpp"

namespace cuda_on_cpu::check {

namespace {

// What is known of the memory, and why it may be unwritten.
Finding state_of(const Region& region, bool atomic, bool has_writer) {
    const std::size_t bytes = region.end - region.begin;
    if (region.kind == Region::Kind::shared)
        return atomic
                   ? Finding(Kind::unset_shared, "which no thread of the block has set before.")
                   : Finding(Kind::unwritten_shared, "which no thread of the block has written.");
    if (region.kind == Region::Kind::statics)
        return {Kind::unfilled_variable, "which was never filled: it is 0."};
    if (region.row_copied == 0 && (region.bytes_copied == 0 || region.bytes_copied >= bytes))
        return {has_writer ? Kind::unwritten_part : Kind::unwritten, "which was never written."};
    const GuardedBytes* const memory =
        find_allocation(reinterpret_cast<const void*>(region.begin)).memory;
    if (region.row_copied != 0)
        return {Kind::partly_filled, "which was never written: only " +
                                         count_text(region.row_copied) +
                                         " of each row were filled."};
    const std::string filled = "which was never written: only " + count_text(region.bytes_copied) +
                               " of " + std::to_string(bytes) + " were filled, in one piece";
    if (memory != nullptr && memory->pitch > memory->row_bytes)
        return {Kind::rows_filled_as_one, filled + ", and the rows of this memory are " +
                                              count_text(memory->pitch) + " apart."};
    return {Kind::partly_filled, filled + "."};
}

}  // namespace

std::vector<Finding> Unwritten::take(const Launch& launch, const std::set<std::string>& but) {
    std::vector<Finding> texts;
    std::set<std::string> reported;  // variables: their other lines have the same cause
    for (const Read& read : found_) {
        if (is_guard(*read.region, reinterpret_cast<std::uintptr_t>(read.access.address))) continue;
        if (but.contains(line_of(read.use.code))) continue;
        const std::string element =
            element_name(*read.region, reinterpret_cast<std::uintptr_t>(read.access.address),
                         read.access.bytes, launch);
        const auto of = element.rfind(" of ");
        const std::string variable = of == std::string::npos ? element : element.substr(of);
        if (read.region->is_reported || read.region->is_read_unwritten ||
            !reported.insert(variable).second)
            continue;
        read.region->is_read_unwritten = read.region->kind == Region::Kind::device;
        if (!read.region->unwritten_copy.empty()) {  // the copy was to fill it
            texts.push_back(read.region->unwritten_copy);
            continue;
        }
        texts.push_back(launch_name(launch) + ": " +
                        thread_name(launch, read.use.thread, read.block) +
                        (read.use.atomic != 0 ? " uses an atomic function on " : " reads ") +
                        element + " at " + place_of(read.use.code) + ", " +
                        state_of(*read.region, read.use.atomic != 0, read.has_writer));
    }
    found_.clear();
    return texts;
}

void CopiedStructs::mark() {
    for (Struct& one : read_) {
        const std::size_t size = one.access.bytes;
        if (size == 0 || size != open_.size || one.use.block != open_.now.block ||
            one.use.thread != open_.now.thread)
            continue;
        const auto is_missing = [&one](std::size_t i) { return (one.missing >> i & 1U) != 0; };
        bool is_copy = true;
        for (std::size_t i = 0; i < size; ++i)
            is_copy &= !is_missing(i) || open_.address[i] == one.bytes[i];
        if (!is_copy) continue;
        one.region = nullptr;
        for (std::size_t i = 0; i < size; ++i)
            if (is_missing(i))
                open_.region->for_each(
                    reinterpret_cast<std::uintptr_t>(open_.address) + i, 1,
                    [](Cell& cell, std::size_t) { cell.write.is_undefined = 1; });
    }
    open_ = {};
}

namespace {

std::string range_text(std::size_t first, std::size_t last) {
    if (first == last) return "element " + std::to_string(first);
    return "elements " + std::to_string(first) + " to " + std::to_string(last);
}

std::uint64_t product(const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; }

}  // namespace

void Coverage::begin_kernel(const Launch& launch) {
    ++launch_;
    grid_ = launch.grid;
    block_ = launch.block;
    kernel_ = launch_name(launch);
    uses_atomics_ = false;
    written_.clear();
}

void Coverage::write(Region& region, const Access& access, std::uint64_t thread) {
    const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
    const std::uintptr_t end = begin + access.bytes;
    if (region.launch != launch_) {
        region.launch = launch_;
        region.kernel = kernel_;
        region.grid = grid_;
        region.block = block_;
        region.threads = product(grid_) * product(block_);
        region.writes = region.group_bytes = region.group_end = 0;
        region.element_bytes = access.bytes;
        region.lowest = begin;
        region.highest = end;
        written_.insert(&region);
    }
    ++region.writes;
    region.lowest = std::min(region.lowest, begin);
    region.highest = std::max(region.highest, end);
    if (begin != region.group_end || thread != region.group_thread) {
        region.group_begin = begin;
        region.group_thread = thread;
    }
    region.group_end = end;
    region.group_bytes = std::max<std::size_t>(region.group_bytes, end - region.group_begin);
}

// If every element has a value, a copy does not show what the kernel has left out. One more than
// there are threads may be on purpose: offsets of rows end with that behind the last row.
Finding Coverage::end_kernel(const Launch& launch) {
    for (Region* const region : written_) {
        region->is_by_atomics = uses_atomics_;
        const std::size_t size = region->element_bytes;
        const std::size_t count = (region->end - region->begin) / size;
        const std::uint64_t threads = region->threads;
        if (region->kind == Region::Kind::shared || region->kind == Region::Kind::statics ||
            region->lowest != region->begin || region->highest != region->begin + threads * size ||
            region->writes != threads || count < threads + 2 ||
            count - threads >= product(launch.block))
            continue;
        region->is_reported = true;
        return {Kind::too_few_blocks,
                launch_name(launch) + ": it has " + std::to_string(threads) +
                    " threads and writes an element with each, but " +
                    describe(find_allocation(reinterpret_cast<const void*>(region->begin))) +
                    " has " + std::to_string(count) + ": " + range_text(threads, count - 1) +
                    " stay as they were."};
    }
    return {};
}

// The host has filled it, and each thread has used one element.
Finding Coverage::untouched(const Region& region, const Rows& rows, const Finding& line) {
    const std::size_t bytes = region.end - region.begin, used = region.touched - region.begin;
    const std::uint64_t threads = region.threads;
    if (region.kind != Region::Kind::device || region.kernel.empty() || rows.height != 1 ||
        rows.width != bytes || region.bytes_copied != bytes || region.writes != threads ||
        region.lowest != region.begin || region.touched != region.highest ||
        used != threads * region.element_bytes || used >= bytes)
        return {};
    Finding note(Kind::untouched, region.kernel + ": its " + std::to_string(threads) +
                                      " threads have used an element each; " +
                                      range_text(threads, bytes / region.element_bytes - 1) +
                                      " that a copy" + line +
                                      " brings to the host are as the host has filled them.");
    note.weight = Weight::note;
    return note;
}

void Coverage::note_use(Region& region, std::uintptr_t from, const Rows& rows,
                        const std::function<Finding()>& line) {
    if (region.kind != Region::Kind::device || region.kernel.empty() || region.is_used) return;
    const std::size_t size = region.element_bytes, all = region.highest - region.lowest;
    const std::size_t bytes = rows.width * rows.height;
    const GuardedBytes* const memory =
        find_allocation(reinterpret_cast<const void*>(region.begin)).memory;
    const std::size_t row =
        memory != nullptr && memory->pitch > 0 ? memory->row_bytes : rows.from_pitch;
    if (rows.height > 1 && size > 1 && rows.width * size == row && from == region.begin &&
        rows.height * rows.from_pitch == region.end - region.begin) {
        if (region.partial_copy.empty())
            region.partial_copy = {Kind::copied_too_little,
                                   "a copy" + line() + " brings only " + count_text(rows.width) +
                                       " of the " + std::to_string(row) + " in each row that " +
                                       region.kernel +
                                       ", has written, and nothing else reads the others."};
        return;
    }
    const bool is_pointer = bytes == sizeof(void*) && size != sizeof(void*);
    const bool is_count = bytes == (region.end - region.begin) / size && size > 1;
    region.is_used = from != region.begin || all <= bytes || (!is_pointer && !is_count);
    if (region.is_used || !region.partial_copy.empty()) return;
    region.partial_copy = {Kind::copied_too_little,
                           "a copy" + line() + " brings only " + count_text(bytes) + " of the " +
                               std::to_string(all) + " that " + region.kernel +
                               ", has written, and nothing else reads the others."};
}

namespace {

std::uintptr_t number(const char* address) { return reinterpret_cast<std::uintptr_t>(address); }

// Whether these bytes are still what the device's memory holds at first, from this address on.
bool is_undefined(const char* bytes, std::size_t count, std::uintptr_t device) {
    const auto* const word = reinterpret_cast<const char*>(&undefined_word);
    for (std::size_t i = 0; i < count; ++i)
        if (bytes[i] != word[(device + i) % sizeof undefined_word]) return false;
    return true;
}

}  // namespace

void UnwrittenCopies::add(const Finding& text, bool is_list, const Gaps& gaps, const char* to,
                          const char* from, const Rows& rows) {
    const bool is_of_members = gaps.are_of_members();
    texts_.push_back({text, !is_list && !is_of_members, is_of_members});
    for (auto [begin, end] : gaps.parts)
        while (begin < end) {
            const std::size_t y = begin / rows.width, x = begin % rows.width;
            const std::size_t bytes = std::min(end - begin, rows.width - x);
            const std::uintptr_t at = number(to) + y * rows.to_pitch + x;
            parts_[at] = {at + bytes, at - (number(from) + y * rows.from_pitch + x),
                          texts_.size() - 1};
            low_ = low_ == high_ ? at : std::min(low_, at);
            high_ = std::max(high_, at + bytes);
            begin += bytes;
        }
    clean_from_ = clean_to_ = 0;
}

// Several copies bring what one launch has left out.
static bool is_same_cause(const Finding& a, const Finding& b) {
    return a.text == b.text || (a.kind == b.kind && !a.launch.empty() && a.launch == b.launch);
}

Finding UnwrittenCopies::look(std::uintptr_t address, std::size_t bytes) {
    const std::uintptr_t end = address + bytes;
    if (clean_from_ <= address && end <= clean_to_) return {};
    const auto next = parts_.upper_bound(end - 1);
    clean_to_ = next == parts_.end() ? ~std::uintptr_t{0} : next->first;
    clean_from_ = next == parts_.begin() ? 0 : std::prev(next)->second.end;
    if (clean_from_ <= address) return {};
    const auto part = std::prev(next);
    const auto [last, shift, number] = part->second;
    clean_to_ = clean_from_;
    const std::uintptr_t first = std::max(address, part->first);
    if (!is_undefined(reinterpret_cast<const char*>(first), std::min(end, last) - first,
                      first - shift)) {
        parts_.erase(part);  // something else is there now
        return {};
    }
    // A struct, or many: perhaps the host copies them, and does not use this member.
    if ((texts_[number].is_of_members || bytes <= CopiedStructs::largest) &&
        (address < part->first || last < end)) {
        texts_[number].is_note = true;
        return {};
    }
    const Finding found = texts_[number].text;
    for (Text& text : texts_)
        if (is_same_cause(text.text, found)) text.text = {};
    std::erase_if(parts_, [this](const auto& p) { return texts_[p.second.text].text.empty(); });
    return found;
}

std::vector<Finding> UnwrittenCopies::notes() const {
    std::vector<Finding> notes;
    for (const Text& text : texts_)
        if (text.is_note && !text.text.empty() &&
            std::none_of(notes.begin(), notes.end(),
                         [&text](const Finding& note) { return is_same_cause(note, text.text); })) {
            notes.push_back(text.text);
            notes.back().weight = Weight::note;
        }
    return notes;
}

}  // namespace cuda_on_cpu::check

void cuda_on_cpu::fill_stack() {
    char below[4096];
    fill_undefined(below, below + sizeof below);
    asm volatile("" : : "r"(below) : "memory");  // it is not left out
}
