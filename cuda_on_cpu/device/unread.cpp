// SPDX-License-Identifier: MIT
// A kernel counts as the writer of all memory to which it has a non-const pointer.
#include "device/unread.hpp"

#include <map>

#include "device/memory.hpp"
#include "device/report.hpp"
#include "device/unfinished.hpp"

namespace cuda_on_cpu {
namespace {

struct Kernel {
    LaunchPlace place;
    bool has_results = false;  // in memory that the host cannot read directly
    bool is_read = false;      // once is enough: later launches may serve only to take a time
};
struct Results {
    std::map<std::string, Kernel> kernels;        // by name
    std::map<const void*, Kernel*> last_writers;  // by where the memory begins
    // By name_of(place) of a kernel: the stack of a copy that read its results before it had run.
    std::map<std::string, Frames> read_early;
};
Results& results() {
    static auto& all = *new Results;
    return all;
}

}  // namespace

void note_kernel(const LaunchPlace& place, const std::vector<Address>& addresses) {
    if (place.kernel == nullptr) return;
    Kernel& kernel = results().kernels.try_emplace(place.kernel, Kernel{place}).first->second;
    bool hides_results = false, writes = false;
    for (const Address& address : addresses) {
        const Allocation a = find_allocation(address.value);
        if (a.begin == nullptr) continue;
        // The host sees these results itself. Whether a kernel writes through a pointer in a struct
        // is unknown.
        if (a.type != cudaMemoryTypeDevice || a.registered || address.offset >= 0)
            hides_results = true;
        Kernel*& writer = results().last_writers[a.begin];
        if (writer != nullptr && writer != &kernel) writer->is_read = true;
        if (!address.is_writable) continue;
        writer = &kernel;
        writes = true;
    }
    if (kernel.place.line == place.line && writes && !hides_results) kernel.has_results = true;
}

void note_read(const void* address, const std::function<Frames()>& caller) {
    const char* const begin = find_allocation(address).begin;
    const Unfinished* const writer = Unfinished::writer_of(begin);
    if (writer != nullptr && !results().read_early.contains(writer->name()))
        results().read_early[writer->name()] = caller();
    const auto found = results().last_writers.find(begin);
    if (found != results().last_writers.end() && found->second != nullptr)
        found->second->is_read = true;
}

void note_freed(const void* begin) { results().last_writers.erase(begin); }

std::vector<std::string> unread_kernels() {
    std::vector<std::string> texts;
    for (const auto& [function, kernel] : results().kernels) {
        if (!kernel.has_results || kernel.is_read) continue;
        const std::string name = name_of(kernel.place);
        const auto early = results().read_early.find(name);
        texts.push_back(early == results().read_early.end()
                            ? "what " + name +
                                  " wrote was never copied back to the host, and no other kernel "
                                  "has read it. Copy it with cudaMemcpy."
                            : "a copy" + calling_line(early->second).text + ", reads what " + name +
                                  ", writes before that has run, and nothing reads it later. " +
                                  wait_before_copy);
    }
    return texts;
}

}  // namespace cuda_on_cpu
