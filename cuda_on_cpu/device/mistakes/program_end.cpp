// SPDX-License-Identifier: MIT
// Reports when the program ends: work that never ran, results that neither a copy to the host nor
// another kernel has used, and errors that the program did not check.
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/device_access.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/pending_work.hpp"
#include "overlooked.hpp"

namespace cuda_on_cpu {
namespace {

// Memory that a kernel can write to, as it was before the kernel ran first.
struct Before {
    const char* begin;
    std::size_t bytes;
    std::uint64_t hash;
};
struct Kernel {
    LaunchPlace place;
    std::vector<Before> before{};
    bool stores = false;             // it may have changed that
    bool has_results = false;        // in memory that the host cannot read directly
    bool only_changes = true;        // what other kernels have written before, or only reads it
    bool is_read = false;            // once is enough: later launches may serve only to take a time
    unsigned in_graphs = 0;          // launches
    unsigned long launch = 0;        // the last one
    std::set<const void*> inputs{};  // of that, which it only reads
    bool keeps_ahead = false;        // what it has written after a copy was read later
};
struct Results {
    std::map<std::string, Kernel> kernels;        // by name
    std::map<const void*, Kernel*> last_writers;  // by where the memory begins
    // By name_of(place) of a kernel: the stack of a copy that read its results before it had run.
    std::map<std::string, Frames> read_early;
    bool is_any_read = false;  // by a copy
    unsigned long launches = 0;
    std::map<const void*, std::pair<Kernel*, unsigned long>>
        outputs;  // who wrote it, in which launch
    std::map<const void*, std::pair<Kernel*, Finding>>
        behind_copy;                                // outputs that nothing has read
    std::vector<std::pair<Kernel*, Finding>> lost;  // of these, what was freed
};
Results& results() {
    static auto& all = *new Results;
    return all;
}

// Takes a few large numbers at a time.
std::uint64_t hash_of(const char* begin, std::size_t bytes) {
    return std::hash<std::string_view>()({begin, bytes});
}

// Whether kernels have changed this memory, or all that there is, is now known.
void compare_with_before(const char* begin = nullptr) {
    for (auto& [name, kernel] : results().kernels)
        std::erase_if(kernel.before, [&kernel = kernel, begin](const Before& before) {
            if (begin != nullptr && before.begin != begin) return false;
            if (kernel.stores || kernel.is_read) return true;
            const DeviceAccess access({before.begin}, current_device());
            kernel.stores = hash_of(before.begin, before.bytes) != before.hash;
            return true;
        });
}

// The first call whose error the program has not checked: the message, and the thread that called.
struct UncheckedCall {
    Finding sentence;
    const HostThread* thread = nullptr;
};
UncheckedCall& unchecked() {
    static auto& call = *new UncheckedCall;
    return call;
}
bool is_not_ready = false;  // that error is one that cudaGetLastError does not know

// A message for each kernel whose results nothing has used.
std::vector<Finding> unread_kernels() {
    std::vector<Finding> texts;
    compare_with_before();
    for (const auto& [function, kernel] : results().kernels) {
        if (!kernel.has_results || kernel.is_read || !kernel.stores) continue;
        if (kernel.only_changes && results().is_any_read) continue;
        const Finding name = name_of(kernel.place);
        const auto early = results().read_early.find(name.text);
        if (early != results().read_early.end())
            texts.emplace_back(Kind::copied_early,
                               "a copy" + calling_line(early->second).text + ", reads what " +
                                   name +
                                   ", writes before that has run, and nothing reads it later.");
        else if (kernel.in_graphs > 1)
            texts.emplace_back(Kind::graph_keeps_arguments,
                               "what " + name +
                                   ", wrote was never copied back to the host, though it has run " +
                                   std::to_string(kernel.in_graphs) +
                                   " times: a graph keeps the arguments of its capture.");
        else
            texts.emplace_back(Kind::never_copied_back,
                               "what " + name +
                                   ", wrote was never copied back to the host, and no other kernel "
                                   "has read it.");
    }
    return texts;
}

// Of two buffers that a kernel reads and writes in turn a copy takes the wrong one.
Finding unread_output() {
    for (const auto& [begin, output] : results().behind_copy) results().lost.push_back(output);
    for (const auto& [kernel, finding] : results().lost)
        if (!kernel->keeps_ahead) return finding;
    return {};
}

void report_pending_work() {
    std::map<Finding, std::string> kernels, others;
    for (const PendingWork* work : PendingWork::all()) {
        if (work->is_reported) return;  // the same wait is missing
        (work->is_kernel() ? kernels : others).emplace(work->name(), work->device_wait());
    }
    for (const auto& [name, wait] : kernels.empty() ? others : kernels)
        report({Kind::never_ran,
                name + " never ran: the program ended, and nothing had waited for it. Call " +
                    wait + " before the end."});
}

void report_at_end(int status, void*) {
    // A program that ends after checking an error leaves later work undone on purpose.
    const bool succeeded = status == 0;
    if (device().broken != cudaSuccess || (!succeeded && device().has_failed)) return;
    if (!unchecked().sentence.empty()) report(unchecked().sentence);
    report_pending_work();
    if (observer != nullptr) observer->end_work();
    // After a report, missing results are only a consequence of the reported mistake.
    if (reports() == 0)
        for (const Finding& finding : unread_kernels()) report(finding);
    if (const Finding finding = unread_output(); reports() == 0 && !finding.empty())
        report(finding);
    if (observer != nullptr) observer->end_program(succeeded);
}

class ProgramEnd final : public Observer {
  public:
    // It counts as the writer of all memory to which it has a non-const pointer.
    void begin_kernel(const Launch& launch) override {
        const LaunchPlace& place = launch.place;
        if (place.kernel == nullptr) return;
        Kernel& kernel = results().kernels.try_emplace(place.kernel, Kernel{place}).first->second;
        if (launch.in_graph) ++kernel.in_graphs;
        kernel.launch = ++results().launches;
        kernel.inputs.clear();
        const bool is_first = kernel.before.empty() && !kernel.stores;
        bool hides_results = false, writes = false;
        for (const Address& address : launch.addresses) {
            const Allocation a = find_allocation(address.value);
            if (a.begin == nullptr) continue;
            note_read(a.begin);
            if (address.is_writable && !launch.in_graph)
                results().outputs[a.begin] = {&kernel, kernel.launch};
            if (!address.is_writable) kernel.inputs.insert(a.begin);
            // The host sees these results itself. Whether a kernel writes through a pointer in a
            // struct is unknown.
            if (a.type != cudaMemoryTypeDevice || a.registered || address.offset >= 0)
                hides_results = true;
            Kernel*& writer = results().last_writers[a.begin];
            if (writer != nullptr && writer != &kernel) writer->is_read = true;
            if (!address.is_writable) continue;
            kernel.only_changes &= writer != nullptr && writer != &kernel;
            writer = &kernel;
            writes = true;
            if (is_first) note_before(kernel, a);
        }
        for (auto& [begin, writer] : results().last_writers)
            if (writer != nullptr && writer != &kernel && !writer->is_read)
                writer->is_read = is_reached_otherwise(find_allocation(begin));
        if (kernel.place.line == place.line && writes && !hides_results) kernel.has_results = true;
    }

    void read(const void* address, const std::function<Frames()>& caller) override {
        const char* const begin = find_allocation(address).begin;
        results().is_any_read |= begin != nullptr;
        const PendingWork* const writer = PendingWork::writer_of(begin);
        if (writer != nullptr && !results().read_early.contains(writer->name().text))
            results().read_early[writer->name().text] = caller();
        const auto found = results().last_writers.find(begin);
        if (found != results().last_writers.end() && found->second != nullptr)
            found->second->is_read = true;
        if (begin == nullptr) return;
        note_read(begin);
        note_output_behind(begin, caller);
    }

    void freed(const Allocation& a) override {
        compare_with_before(a.begin);
        results().last_writers.erase(a.begin);
        results().outputs.erase(a.begin);
        if (const auto unread = results().behind_copy.extract(a.begin); !unread.empty())
            results().lost.push_back(unread.mapped());
    }

    // It then knows about the errors of earlier, unchecked calls.
    void asked_for_error() override {
        if (!is_not_ready && unchecked().thread == &host_thread()) unchecked() = {};
    }

  private:
    // A kernel that stores nothing has no results. Memory of another device is closed.
    static void note_before(Kernel& kernel, const Allocation& a) {
        constexpr std::size_t most = 1 << 20;
        if (a.bytes > most || a.memory == nullptr || !a.memory->is_open())
            kernel.stores = true;
        else
            kernel.before.push_back({a.begin, a.bytes, hash_of(a.begin, a.bytes)});
    }
    static void note_read(const void* begin) {
        if (const auto unread = results().behind_copy.extract(begin); !unread.empty())
            unread.mapped().first->keeps_ahead = true;
    }
    // A copy takes what the last launch of a kernel has only read, and an earlier one had written.
    static void note_output_behind(const char* begin, const std::function<Frames()>& caller) {
        const auto copied = results().outputs.find(begin);
        if (copied == results().outputs.end()) return;
        const auto [kernel, launch] = copied->second;
        if (kernel->launch == launch || !kernel->inputs.contains(begin)) return;
        for (const auto& [output, writer] : results().outputs) {
            const Allocation a = find_allocation(output);
            if (writer != std::pair(kernel, kernel->launch) ||
                a.bytes != find_allocation(begin).bytes)
                continue;
            results().behind_copy[output] = {
                kernel,
                {Kind::last_launch_unread,
                 "nothing reads what the last launch of " + name_of(kernel->place) +
                     ", has written to " + describe(a) + ": a copy" + calling_line(caller()).text +
                     ", takes the buffer that this launch has read."}};
        }
    }
};

// Registered before the program's own static objects exist, so it runs after they are destroyed.
[[gnu::constructor(101)]] void tell_at_end() {
    new ProgramEnd;
    on_exit(report_at_end, nullptr);
}

}  // namespace

Unchecked::Unchecked(const char* function, const char* file, int line)
    : function_(function),
      file_(file),
      line_(line),
      is_broken_(device().broken != cudaSuccess),
      reports_before_(reports()) {}

void Unchecked::take(cudaError_t error) const {
    const std::lock_guard lock(device().mutex);
    // A program may query an event or a stream only for its side effect, so "not ready" is a
    // mistake only if a time is missing.
    const bool not_ready = error == cudaErrorNotReady;
    if (error == cudaSuccess || is_broken_ || reports_before_ != reports() ||
        !unchecked().sentence.empty() ||
        (not_ready && std::string_view(function_) != "cudaEventElapsedTime"))
        return;
    is_not_ready = not_ready;
    unchecked() = {{not_ready ? Kind::no_time_yet : Kind::unchecked_call,
                    function_ + (" at " + at(file_ + (":" + std::to_string(line_)))) +
                        " returned " + cudaGetErrorName(error) + " (" + cudaGetErrorString(error) +
                        "), and the program did not check it." +
                        (not_ready ? "" : " Compare what each call returns with cudaSuccess.")},
                   &host_thread()};
}

}  // namespace cuda_on_cpu
