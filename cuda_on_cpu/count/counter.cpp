// SPDX-License-Identifier: MIT
// The observer of `cuda-on-cpu count`: hands the accesses of a warp on when its lanes are together.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <string>

#include "count/places.hpp"
#include "count/totals.hpp"
#include "count/warp_accesses.hpp"
#include "count/write.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/threads/block.hpp"

namespace cuda_on_cpu::count {
namespace {

using Kind = Access::Kind;

// "convolve" of "lab::convolve<T, View>"
std::string plain_name(const char* kernel) {
    const std::string text = kernel == nullptr ? "a kernel" : kernel;
    const std::string before = text.substr(0, text.find('<'));
    const std::size_t colons = before.rfind("::");
    return colons == std::string::npos ? before : before.substr(colons + 2);
}

Use use_of(Memory memory, Kind kind) {
    const bool is_shared = memory == Memory::shared;
    if (kind >= Kind::atomic_write) return is_shared ? Use::shared_atomic : Use::global_atomic;
    if (kind == Kind::write) return is_shared ? Use::shared_store : Use::global_store;
    return is_shared                    ? Use::shared_load
           : memory == Memory::constant ? Use::constant_load
                                        : Use::global_load;
}

class Counter final : public Observer {
  public:
    // Lanes run one after another, so those of a warp are together before the next warp begins.
    Counter() { setenv("CUDA_ON_CPU_ORDER", "forward", 1); }

    void begin_kernel(const Launch& launch) override {
        places_.begin_kernel();
        kernel_ = &find(launch);
        ++kernel_->launches;
        goes_on_ = false;
        threads_ = launch.block.x * launch.block.y * launch.block.z;
        middle_ = std::uint64_t{launch.grid.x} * (launch.grid.y / 2) + launch.grid.x / 2;
    }
    void begin_block(uint3, std::uint64_t number) override {
        distance_ = number < middle_ ? middle_ - number : number - middle_;
        accesses_.begin_block();
        if (goes_on_) return;
        ++kernel_->blocks;
        kernel_->warps += (threads_ + 31) / 32;
    }
    void grid_barrier() override { goes_on_ = true; }
    void end_block() override { take(); }
    void barrier() override {
        take();
        ++kernel_->barriers;
    }
    void warp_function(WarpFunction, unsigned, unsigned lanes) override {
        if (lanes == running_block().current().warp->alive) take();
    }

    void access(const Thread& thread, const Access& access) override {
        if (access.kind == Kind::atomic_read) return;  // an atomic_write follows
        switch_to_warp(thread.number / 32);
        accesses_.add(thread.number % 32, access);
    }
    void basic_block(const Thread& thread, const void* code) override {
        switch_to_warp(thread.number / 32);
        accesses_.add_block(thread.number % 32, code);
    }

    const std::deque<Kernel>& kernels() const { return kernels_; }

  private:
    Kernel& find(const Launch& launch) {
        const std::string name = plain_name(launch.place.kernel);
        for (Kernel& kernel : kernels_)
            if (kernel.name == name) return kernel;
        Kernel& kernel = kernels_.emplace_back();
        kernel.name = name;
        kernel.launch = launch.place.file == nullptr ? ""
                                                     : std::string(launch.place.file) + ":" +
                                                           std::to_string(launch.place.line);
        kernel.shape = "grid " + text_of(launch.grid) + ", block " + text_of(launch.block);
        return kernel;
    }

    void switch_to_warp(unsigned warp) {
        if (warp == warp_) return;
        take();
        warp_ = warp;
        accesses_.set_warp(warp);
    }
    void take() {
        accesses_.take([this](Instruction& instruction) { count(instruction); });
    }

    void count(Instruction& instruction) {
        const unsigned threads = std::min(32U, threads_ - 32 * warp_);  // of the warp
        const bool is_uniform = instruction.is_uniform();
        Site& site = kernel_->sites[instruction.code];
        for (std::size_t i = 0; i < instruction.used; ++i) {
            Request& request = instruction.requests[i];
            const Memory memory = places_.find(request);
            if (memory == Memory::other) continue;
            const Use use = use_of(memory, instruction.kind);
            Totals one;
            one.requests = 1;
            one.lanes = active_lanes(request);
            one.bytes = one.lanes * request.bytes;
            one.divergent = one.lanes < threads ? 1 : 0;
            one.is_uniform = is_uniform;
            one.is_wide = request.bytes > 4;
            if (memory == Memory::shared) {
                const Wavefronts served = wavefronts(request);
                one.units = served.count;
                one.ideal = served.ideal;
            } else {
                one.units = memory == Memory::constant ? words(request) : sectors(request);
            }
            site.counts[use].add(one);
            keep(site.samples[use], request);
        }
    }

    // The first one in the block in the middle, or in one close to it, with the most lanes.
    void keep(Sample& sample, const Request& request) const {
        if (distance_ > sample.distance ||
            (distance_ == sample.distance && active_lanes(request) <= active_lanes(sample.request)))
            return;
        sample = {request, distance_};
    }

    std::deque<Kernel> kernels_;  // in the order of their first launches
    Kernel* kernel_ = nullptr;
    Places places_;
    WarpAccesses accesses_;
    unsigned threads_ = 0, warp_ = 0;
    bool goes_on_ = false;  // blocks that have begun already
    std::uint64_t middle_ = 0, distance_ = 0;
};

Counter* counter = nullptr;

}  // namespace
}  // namespace cuda_on_cpu::count

cuda_on_cpu::Observer* cuda_on_cpu::create_observer() {
    std::atexit([] { count::write(count::counter->kernels()); });
    return count::counter = new count::Counter;
}
