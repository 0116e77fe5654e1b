// SPDX-License-Identifier: MIT
#include "device/tsan_threads.hpp"

#include <algorithm>
#include <random>

namespace cuda_on_cpu {
namespace {

char grid_end;  // only its address counts

}  // namespace

TsanGrid::TsanGrid() {
    static std::minstd_rand random;
    step_ = 1U << random() / 256 % 4;  // 1 for the first launch
    tsan_ignore_begin();
}

TsanGrid::~TsanGrid() {
    tsan_ignore_end();
    tsan_acquire(&grid_end);
}

void TsanThreads::begin(std::size_t threads) {
    host_ = __tsan_get_current_fiber();
    shared_modulus_ = shared_modulus_ == 61 ? 59 : 61;
    modulus_ = warp_sync_ ? static_cast<unsigned>(threads) : shared_modulus_;
    warp_sync_ = false;
    used_ = std::min<std::size_t>(threads, modulus_);
    while (contexts_.size() < used_) contexts_.push_back(__tsan_create_fiber(0));
    tsan_release(&begin_);
    for (std::size_t i = 0; i < used_; ++i) {
        tsan_switch(contexts_[i]);
        tsan_acquire(&begin_);
        tsan_acquire(&end_);  // the block before used the same stacks
    }
    tsan_switch(host_);
}

void TsanThreads::go_on() {
    if (!has_tsan()) return;
    tsan_acquire(&grid_end);
    tsan_release(&begin_);
    for (std::size_t i = 0; i < used_; ++i) {
        tsan_switch(contexts_[i]);
        tsan_acquire(&begin_);
    }
    tsan_switch(host_);
}

void TsanThreads::end() {
    for (std::size_t i = 0; i < used_; ++i) {
        tsan_switch(contexts_[i]);
        tsan_release(&end_);
        tsan_release(&grid_end);
    }
    tsan_switch(host_);
}

void TsanThreads::order() {
    for (std::size_t i = 0; i < used_; ++i) {
        tsan_switch(contexts_[i]);
        tsan_release(&barrier_);
    }
    for (std::size_t i = 0; i < used_; ++i) {
        tsan_switch(contexts_[i]);
        tsan_acquire(&barrier_);
    }
    tsan_switch(host_);
}

void TsanThreads::forget_threads() {
    for (void* const context : contexts_) __tsan_destroy_fiber(context);
    contexts_.clear();
}

}  // namespace cuda_on_cpu
