// SPDX-License-Identifier: MIT
// What the functions of a kernel call (include/keywords.hpp, atomics.hpp, warp.hpp): the running
// block does it.
#include "device/base/observer.hpp"
#include "device/threads/block.hpp"
#include "include/uninterrupted.hpp"

// Built-in variables are plain globals: one thread of one kernel runs at a time.
uint3 threadIdx{};
uint3 blockIdx{};
dim3 blockDim;
dim3 gridDim;

namespace cuda_on_cpu {

unsigned barrier(bool predicate, const char* what, const char* file, int line) {
    return running_block().barrier(predicate, what, file, line);
}
void tile_barrier(unsigned first, unsigned count, const char* file, int line) {
    running_block().tile_barrier(first, count, file, line);
}
void wait_for_grid(const char* file, int line) { running_block().wait_for_grid(file, line); }
void let_others_run() {
    if (is_kernel_at_work != 0) running_block().let_others_run();
}
void trap(const char* file, int line) { running_block().trap(file, line); }

unsigned coalesced_lanes(const char* name, const char* file, int line) {
    return running_block().exchange(WarpFunction::coalesce, name, ~0U, 0, file, line).present;
}
unsigned lane_number() { return schedule->current->lane; }

Uninterrupted::Uninterrupted() { uninterrupted = uninterrupted + 1; }
Uninterrupted::~Uninterrupted() { uninterrupted = uninterrupted - 1; }
void note_wait(const MbarrierWait* wait) { running_block().current().mbarrier_wait = wait; }

void begin_atomic() {
    if (turns_left > 0) --turns_left, let_others_run();
    is_in_atomic = 1;
}
void end_atomic() { is_in_atomic = 0; }
void fence() {
    running_block().current().has_fenced = true;
    if (observer != nullptr) observer->fence(running_block().current());
}
void sum_of_floats(double sum) {
    if (observer != nullptr) observer->sum_of_floats(sum);
}

}  // namespace cuda_on_cpu
