// SPDX-License-Identifier: MIT
// The observer of `cuda-on-cpu check`: keeps the shadow and hands each access to those who judge.
#include <link.h>
#include <malloc.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "clock.hpp"
#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/settings.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/copy.hpp"
#include "device/memory/device_access.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/pending_work.hpp"
#include "device/memory/shared_memory.hpp"
#include "device/memory/variables.hpp"
#include "device/threads/block.hpp"
#include "host_memory.hpp"
#include "names.hpp"
#include "races.hpp"
#include "shadow.hpp"
#include "stream_order.hpp"
#include "unwritten.hpp"

namespace cuda_on_cpu::check {
namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

Region::Kind kind_of(const Allocation& a) {
    if (a.type == cudaMemoryTypeDevice) return Region::Kind::device;
    return a.type == cudaMemoryTypeManaged ? Region::Kind::managed : Region::Kind::pinned;
}

class Checker final : public Observer {
  public:
    Checker() {
        dl_iterate_phdr(add_statics, this);
        // Freed memory of the shadow is soon needed again: do not give it back to the system.
        mallopt(M_MMAP_THRESHOLD, 1 << 30);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);
    }

    void begin_task(const Turn& turn) override { order_.begin_task(turn); }
    void end_task() override { order_.end_task(); }
    void begin_graph_task(const GraphTurn& turn) override { order_.begin_graph_task(turn); }
    void begin_kernel(const Launch& launch) override {
        launch_.emplace(launch);
        goes_on_ = false;
        clock_.begin_kernel();
        order_.begin_kernel(launch_name(launch), clock_.first_block());
        coverage_.begin_kernel(launch);
        for (const Address& address : launch.addresses) {
            const std::string argument = name_of(address);
            host_.take(number(address.value),
                       address.offset < 0
                           ? argument
                           : "byte " + std::to_string(address.offset) + " of " + argument,
                       address.offset < 0);
        }
        shadow_.for_each([this](const Region& region) {
            constexpr std::size_t most = 1 << 20;
            if (region.is_host_visible())
                host_.take(reinterpret_cast<const char*>(region.begin),
                           std::min<std::size_t>(region.end - region.begin, most),
                           " of " + describe(find_allocation(
                                        reinterpret_cast<const char*>(region.begin))));
        });
        for (const auto& [begin, end] : shared_ranges()) {
            if (shadow_.has(number(begin), number(end))) continue;
            shadow_.remove(number(begin));
            if (begin < end)
                shadow_.add(number(begin), static_cast<std::size_t>(end - begin),
                            Region::Kind::shared);
        }
    }
    void end_kernel(cudaError_t error) override {
        if (!launch_) return;
        order_.end_kernel(clock_.block());
        races_.decide();
        tell_found(error);
        if (error == cudaSuccess) tell_unless_known(coverage_.end_kernel(*launch_));
        for (const Region* const region : coverage_.written())
            if (region->is_host_visible()) results_.add(region->begin, region->end - region->begin);
        launch_.reset();
    }
    void grid_barrier() override {
        tell_found(cudaSuccess);
        clock_.begin_kernel();
        goes_on_ = true;
    }
    void begin_block(uint3 index, std::uint64_t) override {
        clock_.begin_block();
        races_.begin_block(index);
        if (goes_on_) {
            keep_shared();
            clock_.barrier();
        }
    }
    void end_block() override {
        races_.settle();
        copied_structs_.forget();
        races_.decide();
    }
    void barrier() override {
        settle();
        races_.decide();
        clock_.barrier();
    }
    void sum_of_floats(double sum) override { results_.add_sum(sum); }
    void warp_function(WarpFunction function, unsigned warp, unsigned lanes) override {
        if (function == WarpFunction::sync) clock_.sync_warp(warp, lanes);
    }

    void exited_before(const Thread& thread, unsigned returned) override {
        const Finding place = waiting_place(thread);
        const Finding who = std::to_string(returned) + (returned == 1 ? " thread" : " threads") +
                            " of block " + text_of(blockIdx) + (returned == 1 ? " has" : " have") +
                            " returned before " + place;
        if (place.text.starts_with("__syncthreads")) races_.miss_barrier(who);
        if (!noted_.insert(place.text).second) return;
        char mask[64] = "";
        if (place.text.starts_with("__") && !place.text.starts_with("__syncthreads"))
            std::snprintf(mask, sizeof mask, ", but its mask 0x%08x names them", thread.mask);
        Finding note(Kind::returned_before_barrier,
                     launch_name(*launch_) + ": " + who + mask +
                         ". Since Volta the others go on; GPUs before Volta (compute capability "
                         "below 7.0) wait for ever. To be sure, " +
                         (mask[0] != 0 ? "name only the lanes that come there, or let all of them "
                                         "come there."
                                       : "let every thread come there: no return before it, and "
                                         "no branch or loop around it that only some take."));
        note.weight = Weight::note;
        tell(note);
    }

    void access(const Thread& thread, const Access& access) override {
        // A struct that is copied whole: g++ tells of the write, then of the read, and then does both.
        const bool is_copy = access.kind == Access::Kind::read && access.bytes == bytes_written_ &&
                             written_by_ == &thread;
        if (!is_copy) settle();
        bytes_written_ = 0;
        const std::uintptr_t address = number(access.address);
        Region* const region = shadow_.find(address);
        if (!host_.empty() && (region == nullptr || region->kind == Region::Kind::statics))
            stop_at_host(access);
        if (region == nullptr) return;
        if (region->kind == Region::Kind::statics) {
            stop_at_variable(access);
            tell_early_use(*region, access);
        }
        if (address < region->begin || address + access.bytes > region->end)
            return leave_region(*region, access);
        if (access.is_atomic()) {
            races_.atomic(thread, access);
            races_.note_atomic();
            coverage_.atomic();
        }
        Use now = clock_.now(thread, code_offset(access.code), access.is_atomic());
        if (access.is_flag && !access.is_atomic())
            now.is_flag = !access.writes() || has_fenced(thread) ? 1 : 0;
        races_.reach(now, access);
        if (access.kind == Access::Kind::atomic_read) clock_.acquire(thread, access.address);
        if (access.bytes == sizeof(void*) && access.kind == Access::Kind::read)
            stop_at_table(*region, access);
        const bool is_open = order_.is_open() && is_of_streams(*region, address);
        if (access.writes()) {
            coverage_.write(*region, access, std::uint64_t{now.block} << 10U | now.thread);
            if (!access.is_atomic()) races_.keep(now, access, *region);
            copied_structs_.write(now, access, *region);
            if (!access.is_atomic()) bytes_written_ = access.bytes;
            written_by_ = &thread;
        }
        region->touched = std::max(region->touched, address + access.bytes);
        bool is_missing = false;
        std::uint64_t missing = 0;  // bits of bytes that were never written
        std::size_t at = 0;
        region->for_each(address, access.bytes, [&](Cell& cell, std::size_t size) {
            if (is_open) order_.use(cell, access.writes(), access.is_atomic(), address, now.code);
            if (access.writes()) return races_.write(cell, now, thread, access, *region);
            if (!Unwritten::is_written(cell, now, *region)) {
                is_missing = true;
                if (at < CopiedStructs::largest)
                    missing |= ((std::uint64_t{1} << size % 64) - 1) << at;
            }
            at += size;
            if (cell.write.block >= Use::first_block) region->is_used = true;
            if (!access.is_atomic()) races_.read(cell, now, thread, access, *region);
        });
        if (is_missing) {
            const std::uint64_t all = ~std::uint64_t{0} >> (64 - std::min<std::size_t>(at, 64));
            if (at > CopiedStructs::largest || missing == all || access.is_atomic())
                unwritten_.add(now, access, *region);
            else
                copied_structs_.read(now, access, *region, missing);
        }
        const bool announces = now.is_flag != 0 && access.writes();
        if (access.kind >= Access::Kind::atomic_write || announces)
            clock_.release(thread, access.address);
        else if (now.is_flag != 0)
            clock_.acquire(thread, access.address);
    }
    void fence(const Thread& thread) override {
        fenced_[thread.number] = {clock_.block(), clock_.barriers()};
    }

    void host_access(const Access& access) override {
        if (waiting_tasks > 0 && !access.is_atomic() && is_managed_variable(access.address))
            early_uses_[access.address] = {access, tasks_issued};
        if (const Variable* const variable = find_variable(access.address))
            tell_by_name(*variable, access);
        const bool is_copied_unwritten =
            unwritten_copies_.is_near(number(access.address)) && !access.writes();
        // A host function of a stream runs in the stream's order.
        const bool waits = PendingWork::any() && !order_.is_in_task();
        if (!is_copied_unwritten && !waits) return;
        const std::unique_lock lock(device().mutex, std::try_to_lock);
        if (!lock.owns_lock())
            return;  // another CPU thread's call of CUDA may wait for it just now
        if (is_copied_unwritten) {
            const Finding copy = unwritten_copies_.look(number(access.address), access.bytes);
            // What waits, or another stream, may be to write that.
            if (!copy.empty() && (waiting_tasks > 0 || order_.has_found()))
                unwritten_reads_.push_back(copy);
            else
                tell_unless_known(copy);
        }
        if (!waits) return;
        const PendingWork* const user =
            PendingWork::user_of(access.address, access.bytes, access.writes());
        if (user == nullptr || user->is_reported) return;
        user->is_reported = true;
        if (access.is_atomic()) return;  // both sides change it by atomic functions, on purpose
        const Allocation a = find_allocation(access.address);
        // A function of the C++ library may have used it for the program.
        const std::string line = users_calling_line();
        tell_early(access, a.begin == nullptr ? "memory" : describe(a),
                   line.empty() ? place_of(code_offset(access.code)) : at(line),
                   user->name() + (user->is_kernel() ? "," : ""), user->device_wait());
    }
    void end_work() override {
        results_.print();
        const std::vector<Finding> wrong_order = order_.take();
        for (const Finding& finding : wrong_order) tell(finding);
        if (wrong_order.empty()) tell_unwritten();
        if (!is_checked()) return;
        for (const Finding& note : unwritten_copies_.notes()) report(note);
        const std::string library = library_of_new();
        if (library.empty()) return;
        Finding note = "the host's memory is not known, as new is that of " + library +
                       ": pointers to it in structs, and copies past its end, are not found.";
        note.weight = Weight::note;
        report(note);
    }
    void end_program(bool succeeded) override {
        std::size_t bytes = 0;
        std::set<Finding> lines;
        for (const char* const begin : allocated_) {
            tell_partial_copy(begin);
            const Allocation a = find_allocation(begin);
            if (a.memory == nullptr || a.is_freed) continue;
            bytes += a.bytes;
            Finding line = calling_place(a.memory->caller);  // " at lab.cu:12"
            if (!line.empty()) line.text.erase(0, 4);
            lines.insert(line.empty() ? "a line that the program does not name" : line);
        }
        // A few bytes are kept on purpose: with them the driver keeps the block that they are of.
        if (!succeeded || bytes < 64) return;
        Finding note(Kind::never_freed, count_text(bytes) +
                                            " of device memory are never freed; they come from " +
                                            joined(lines) + ".");
        note.weight = Weight::note;  // the end of the program frees them
        tell(note);
    }

    void allocated(const Allocation& a) override {
        shadow_.add(number(a.begin), a.bytes, kind_of(a));
        allocated_.insert(a.begin);
        if (kind_of(a) != Region::Kind::device) results_.add_host_visible();
    }
    // Whoever uses it comes after that: as what has read it, so that it stays unwritten.
    void allocated_in_stream(const Allocation& a) override {
        Region* const region = shadow_.find(number(a.begin));
        if (region == nullptr) return;
        const Use use = order_.job(StreamOrder::Kind::allocate);
        if (order_.is_open()) note_order(*region, use, number(a.begin), a.bytes, true);
        region->for_each(number(a.begin), a.bytes,
                         [&](Cell& cell, std::size_t) { cell.reads[1] = use; });
    }
    void declared(const Variable& variable) override {
        if (!variable.is_constant || variable.is_set) return;
        if (Region* const region = shadow_.find(number(variable.begin)))
            region->fill(number(variable.begin), variable.bytes, Cell{});
    }
    void freed(const Allocation& a) override {
        if (Region* const region = shadow_.find(number(a.begin));
            region != nullptr && order_.is_in_task()) {
            const Use use = order_.job(StreamOrder::Kind::free);
            if (order_.is_open()) note_order(*region, use, number(a.begin), a.bytes, true);
        }
        tell_partial_copy(a.begin);
        shadow_.remove(number(a.begin));
        allocated_.erase(a.begin);
    }
    void copied(const char* to, const char* from, const Rows& rows) override {
        using Kind = StreamOrder::Kind;
        const Use use = order_.job(from == nullptr ? Kind::set : Kind::copy);
        Region* const source = from == nullptr ? nullptr : shadow_.find(number(from));
        Region* const region = shadow_.find(number(to));
        if (source != nullptr) {
            Coverage::note_use(*source, number(from), rows, [this] { return order_.line(); });
            if (region == nullptr || region->kind != Region::Kind::device)
                brought_to_host(*source, to, from, rows);
        }
        for (std::size_t y = 0; y < rows.height; ++y) {
            const std::uintptr_t begin = number(from) + y * rows.from_pitch;
            if (source != nullptr && order_.is_open())
                note_order(*source, use, begin, rows.width, false);
            if (source != nullptr)
                source->for_each(begin, rows.width,
                                 [&](Cell& cell, std::size_t) { cell.reads[1] = use; });
            if (region == nullptr) continue;
            if (from != nullptr)
                host_.take(to + y * rows.to_pitch, rows.width, " of the copy" + order_.line());
            fill(*region, use, number(to) + y * rows.to_pitch, rows.width);
        }
        if (region == nullptr) return;
        region->bytes_copied = rows.height > 1 ? 0 : rows.width;
        region->row_copied = rows.height > 1 && from != nullptr ? part_of_row(to, rows) : 0;
    }

  private:
    // The width of a copy of rows, if it is as many bytes as a row has elements; else 0.
    static std::size_t part_of_row(const void* to, const Rows& rows) {
        const GuardedBytes* const memory = find_allocation(to).memory;
        const std::size_t row =
            memory != nullptr && memory->pitch > 0 ? memory->row_bytes : rows.to_pitch;
        for (const std::size_t size : {2, 4, 8, 16})
            if (rows.width * size == row) return rows.width;
        return 0;
    }
    void tell_by_name(const Variable& variable, const Access& access) {
        if (variable.is_read_only) return;
        const Finding line = place_of(code_offset(access.code));
        if (access.writes()) return report_host_write(variable, " at " + line);
        Finding finding(Kind::variable_read_by_host,
                        "the host reads " + describe(variable) + ", by its name at " + line +
                            ": it does not see there what kernels have.");
        finding.remedy =
            std::string("cudaMemcpyFromSymbol(&value, ") + variable.name + ", sizeof value).";
        tell(finding);
    }
    void tell_early(const Access& access, const std::string& memory, const Finding& place,
                    const Finding& user, const std::string& wait) {
        Finding finding(Kind::used_early, std::string("the host ") +
                                              (access.writes() ? "writes " : "reads ") + memory +
                                              " at " + place + " before " + user + " has run.");
        finding.remedy = "wait in between, with " + wait + " or cudaStreamSynchronize(stream).";
        tell(finding);
    }
    // The host has used the __managed__ variable before the kernel, which was launched before.
    void tell_early_use(const Region& region, const Access& access) {
        const auto found = early_uses_.find(access.address);
        if (found == early_uses_.end() || order_.issued() > found->second.issued) return;
        const Access& early = found->second.access;
        if (!access.writes() && !early.writes()) return;
        tell_early(early,
                   element_name(region, number(access.address), access.bytes, *launch_) +
                       ", a __managed__ variable,",
                   place_of(code_offset(early.code)), launch_name(*launch_) + ",",
                   "cudaDeviceSynchronize()");
        early_uses_.erase(found);
    }
    static bool is_of_streams(const Region& region, std::uintptr_t address) {
        if (region.kind == Region::Kind::statics)
            return find_variable(reinterpret_cast<const void*>(address)) != nullptr;
        return region.kind != Region::Kind::shared;
    }
    // What the task that runs does to these bytes may come before or after what another has done.
    void note_order(Region& region, const Use& use, std::uintptr_t begin, std::size_t bytes,
                    bool writes) {
        if (!is_of_streams(region, begin)) return;
        region.for_each(begin, bytes, [&](const Cell& cell, std::size_t) {
            order_.use(cell, writes, use.atomic != 0, begin, use.code);
        });
    }
    void fill(Region& region, const Use& use, std::uintptr_t begin, std::size_t bytes) {
        if (order_.is_open()) note_order(region, use, begin, bytes, true);
        Cell filled;
        filled.write = use;
        region.fill(begin, bytes, filled);
    }
    void brought_to_host(Region& source, const char* to, const char* from, const Rows& copied) {
        const Finding pitch = reports() == 0 && source.kind == Region::Kind::device
                                  ? wrong_pitch(source, from, copied)
                                  : "";
        if (!pitch.empty()) report("a copy," + order_.line() + ", " + pitch);
        const Rows rows = without_gaps(from, copied);
        const Gaps gaps(source, number(from), rows);
        std::size_t at = 0;  // of the bytes that are copied; the gaps are no results
        const auto add_to = [&](std::size_t end) {
            for (; at < end; at = std::min(end, at / rows.width * rows.width + rows.width))
                results_.add(number(to) + at / rows.width * rows.to_pitch + at % rows.width,
                             std::min(end - at, rows.width - at % rows.width));
        };
        for (const auto& [begin, end] : gaps.parts) {
            add_to(begin);
            at = end;
        }
        add_to(gaps.all());
        if (source.is_by_atomics) results_.add_list();
        if (source.kind != Region::Kind::device || source.is_reported) return;
        if (gaps.parts.empty()) return tell(Coverage::untouched(source, rows, order_.line()));
        const Uncovered found = uncovered(source, gaps, order_.line());
        if (source.kernel.empty()) source.unwritten_copy = found.finding;
        if (!found.is_certain || gaps.are_of_members()) {
            const bool is_list = source.is_by_atomics && source.lowest == source.begin &&
                                 gaps.parts.size() == 1 && gaps.parts[0].second == gaps.all();
            unwritten_copies_.add(found.finding, is_list, gaps, to, from, rows);
            return;
        }
        source.is_reported = true;
        order_.forget_copy();
        tell_unless_known(found.finding);
    }
    // Nothing more can use what the memory contains.
    void tell_partial_copy(const char* begin) {
        const Region* const region = shadow_.find(number(begin));
        if (region != nullptr && !region->is_used && !region->is_reported)
            tell_unless_known(region->partial_copy);
    }
    void tell_found(cudaError_t error) {
        // If threads miss each other at a barrier, the rest follows from that.
        if (error == cudaErrorLaunchFailure) {
            races_.forget();
            unwritten_.forget();
        }
        std::set<std::string> lines;  // of races: what they leave unwritten has the same cause
        for (const Finding& race : races_.take(*launch_, lines)) tell(race);
        for (const Finding& read : unwritten_.take(*launch_, lines))
            // What still waits in another stream or branch may be to write it: end_program knows.
            if (error == cudaSuccess && (waiting_tasks > 1 || order_.is_in_graph()))
                unwritten_reads_.push_back(read);
            else
                tell_unless_known(read);
        if (error != cudaSuccess) tell_unwritten();
    }
    void tell_unwritten() {
        for (const Finding& read : unwritten_reads_) tell_unless_known(read);
        unwritten_reads_.clear();
    }
    // Behind grid.sync a block has its shared memory as it was.
    void keep_shared() {
        for (const auto& [begin, end] : shared_ranges()) {
            Region* const region = shadow_.find(number(begin));
            if (begin >= end || region == nullptr) continue;
            Cell filled;
            filled.write.block = clock_.block();
            region->fill(number(begin), region->end - region->begin, filled);
        }
    }
    /// The last access is done.
    void settle() {
        races_.settle();
        copied_structs_.settle();
    }
    /// Since the last barrier.
    bool has_fenced(const Thread& thread) const {
        return fenced_[thread.number] == std::pair{clock_.block(), clock_.barriers()};
    }
    // The bytes beside an allocation are there, but not the program's: as at a closed page.
    static void leave_region(const Region& region, const Access& access) {
        const bool before = number(access.address) < region.begin;
        const char* const outside =
            before ? access.address
                   : std::max(access.address, reinterpret_cast<const char*>(region.end));
        if (region.kind == Region::Kind::statics ||
            (region.kind == Region::Kind::shared && describe_shared(outside).empty()))
            return;
        running_block().stop(cudaErrorIllegalAddress, [&] {
            return (access.writes() ? "writes " : "reads ") + describe_address(outside) +
                   source_line(static_cast<const char*>(access.code) - 1);
        });
    }
    static void stop_at_variable(const Access& access) {
        Finding what = describe_outside_variable(access.address);
        if (what.empty()) what = describe_outside_variable(access.address + access.bytes - 1);
        if (what.empty() && access.writes()) what = constant_at(access.address);
        if (what.empty()) return;
        running_block().stop(cudaErrorIllegalAddress, [&] {
            return (access.writes() ? "writes " : "reads ") + what +
                   source_line(static_cast<const char*>(access.code) - 1);
        });
    }
    void stop_at_host(const Access& access) const {
        if (host_.owner_of(number(access.address)).empty()) return;
        running_block().stop(cudaErrorIllegalAddress, [&] {
            return (access.writes() ? "writes " : "reads ") +
                   host_.owner_of(number(access.address)) +
                   source_line(static_cast<const char*>(access.code) - 1);
        });
    }
    // A thread that reads where an object's virtual functions are is about to call one.
    void stop_at_table(Region& region, const Access& access) {
        std::uintptr_t word = 0;
        std::memcpy(&word, access.address, sizeof word);
        if (!host_.is_table(word) || region.kind == Region::Kind::shared) return;
        bool by_host = true;
        region.for_each(number(access.address), sizeof word, [&](const Cell& cell, std::size_t) {
            by_host &= cell.write.block == Use::host;
        });
        if (!by_host) return;
        running_block().stop(cudaErrorIllegalAddress, [&] {
            return Finding(Kind::host_object,
                           "calls a virtual function of an object that the host has made" +
                               source_line(static_cast<const char*>(access.code) - 1));
        });
    }
    void tell(const Finding& finding) {
        if (finding.empty() || !reported_.insert(finding.text).second) return;
        const unsigned long before = reports();
        report(finding);
        own_reports_ += reports() - before;
    }
    /// What is missing after a mistake that the emulator itself has told follows from that.
    void tell_unless_known(const Finding& finding) {
        if (reports() == own_reports_) tell(finding);
    }
    static int add_statics(dl_phdr_info* info, std::size_t, void* checker) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            const ElfW(Phdr)& header = info->dlpi_phdr[i];
            if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0)
                static_cast<Checker*>(checker)->shadow_.add(info->dlpi_addr + header.p_vaddr,
                                                            header.p_memsz, Region::Kind::statics);
        }
        return 1;  // the first module is the program itself
    }

    std::optional<Launch> launch_;
    bool goes_on_ = false;  // blocks begin behind grid.sync
    Shadow shadow_;
    Clock clock_;
    Races races_{clock_};
    std::pair<std::uint32_t, std::uint32_t> fenced_[largest_block] = {};  // block, barriers
    Unwritten unwritten_;
    std::vector<Finding> unwritten_reads_;
    Coverage coverage_;
    UnwrittenCopies unwritten_copies_;
    CopiedStructs copied_structs_{unwritten_};
    std::size_t bytes_written_ = 0;  // by the last access
    const Thread* written_by_ = nullptr;
    StreamOrder order_;
    Results results_;
    HostMemory host_;
    std::set<std::string> reported_, noted_;
    unsigned long own_reports_ = 0;
    std::set<const char*> allocated_;
    struct EarlyUse {
        Access access;
        std::uint64_t issued;  // tasks before
    };
    std::map<const char*, EarlyUse> early_uses_;  // of managed variables, by the host
};

}  // namespace
}  // namespace cuda_on_cpu::check

// CUDA_ON_CPU_WATCH=0: the judge compares runs in other orders, where one look is enough. It asks for
// CUDA_ON_CPU_TURNS if races may do harm or not.
cuda_on_cpu::Observer* cuda_on_cpu::create_observer() {
    host_bytes_left = check::host_bytes_left;
    turns_left = static_cast<unsigned>(setting("CUDA_ON_CPU_TURNS", 0, 0, 1 << 30));
    return setting("CUDA_ON_CPU_WATCH", 1, 0, 1) == 1 ? new check::Checker : nullptr;
}
