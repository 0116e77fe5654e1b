// SPDX-License-Identifier: MIT
#include "device/too_early.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "device/accesses.hpp"
#include "device/fault.hpp"
#include "device/memory.hpp"
#include "device/report.hpp"
#include "device/sanitizers.hpp"
#include "device/source_line.hpp"
#include "device/unfinished.hpp"

namespace cuda_on_cpu {
namespace {

using Pages = std::pair<std::uintptr_t, std::uintptr_t>;  // from, to
std::set<Pages>& closed() {
    static auto& all = *new std::set<Pages>;
    return all;
}

bool overlaps_closed(const Pages& pages) {
    return std::any_of(closed().begin(), closed().end(), [&pages](const Pages& other) {
        return pages.first < other.second && other.first < pages.second;
    });
}

void protect(const Pages& pages, int access) {
    mprotect(reinterpret_cast<void*>(pages.first), pages.second - pages.first, access);
}

// Closes the range's whole pages: to the host's writes, and to its reads if the work writes there.
// A page at an end of the allocation may be closed, too, because it contains nothing else; but not
// at an end of memory that cudaHostRegister has pinned. While a kernel runs, the host may use the
// elements of pinned memory that the kernel does not.
void close(const Unfinished::Range& range, bool of_kernel) {
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const Allocation a = find_allocation(range.begin);
    if (a.type == cudaMemoryTypeUnregistered || a.type == cudaMemoryTypeDevice) return;
    if (of_kernel && (a.type != cudaMemoryTypeManaged || range.begin != a.begin)) return;
    const char* const end = range.begin + range.bytes;
    const bool is_alone = a.memory != nullptr;
    const auto first = reinterpret_cast<std::uintptr_t>(range.begin) +
                       (is_alone && range.begin == a.begin ? 0 : page - 1);
    const auto last = reinterpret_cast<std::uintptr_t>(end) +
                      (is_alone && end == a.begin + a.bytes ? page - 1 : 0);
    const Pages pages{first / page * page, last / page * page};
    if (pages.first >= pages.second || (!range.is_written && overlaps_closed(pages))) return;
    if (closed().insert(pages).second || range.is_written)
        protect(pages, range.is_written ? PROT_NONE : PROT_READ);
}

}  // namespace

void close_unfinished(const Unfinished& work) {
    if (observer != nullptr || has_asan() || has_tsan()) return;  // these check each access
    for (const Unfinished::Range& range : work.ranges())
        if ((range.is_written || !work.is_kernel()) && !work.is_told)
            close(range, work.is_kernel());
    if (!closed().empty()) watch_for_faults();
}

void close_unfinished() {
    for (const Unfinished* const work : Unfinished::all()) close_unfinished(*work);
}

void open_unfinished() {
    for (const Pages& pages : closed()) protect(pages, PROT_READ | PROT_WRITE);
    closed().clear();
}

bool is_too_early(const void* address, bool writes, const void* code) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (std::none_of(closed().begin(), closed().end(),
                     [=](const Pages& pages) { return pages.first <= at && at < pages.second; })) {
        // Another CPU thread may just have opened it.
        const Allocation a = find_allocation(address);
        return a.memory != nullptr && a.type != cudaMemoryTypeDevice;
    }
    open_unfinished();
    const Unfinished* const user = Unfinished::user_of(address, 1, writes);
    if (user == nullptr) return true;
    // Marks all work that uses these bytes; otherwise the same access would fault again without
    // end.
    for (const Unfinished* const work : Unfinished::all())
        if (work->uses(address, 1, writes)) work->is_told = true;
    std::string line = source_line(code);
    if (line.empty()) line = calling_line().text;
    report("the host " + std::string(writes ? "writes " : "reads ") +
           describe(find_allocation(address)) + line + ", before " + user->name() +
           (user->is_kernel() ? "," : "") + " has run. Wait in between, with " +
           user->device_wait() + " or cudaStreamSynchronize(stream).");
    close_unfinished();
    return true;
}

}  // namespace cuda_on_cpu
