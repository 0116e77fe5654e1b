// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include "library/convolab.h"
#include "library/convolab.hpp"

using namespace convolab::lib;

struct convolab_cpu {
    Cpu plan;
    Input in;  // without an address
    Output out;
};

/// 0, or 1 with the text of what `work` throws in `error`.
template <class Work>
static int failed(char* error, const Work& work) {
    try {
        work();
        return 0;
    } catch (const std::exception& why) {
        std::snprintf(error, CONVOLAB_ERROR, "%s", why.what());
        return 1;
    }
}

convolab_cpu* convolab_cpu_new(int64_t width, int64_t height, int channels, const int32_t* taps,
                               int side, int32_t divisor, const char* border, int threads,
                               char* error) {
    convolab_cpu* made = nullptr;
    failed(error, [&] {
        const Task task{width, height, channels, {taps, taps + side * side}, divisor, border};
        const std::int64_t lost = task.border == "valid" ? side - 1 : 0;
        made = new convolab_cpu{Cpu(task, threads),
                                {nullptr, width, height, channels, 0},
                                {nullptr, width - lost, height - lost, channels, 0}};
    });
    return made;
}

int convolab_cpu_run(const convolab_cpu* plan, const uint8_t* in, int64_t in_pitch, uint8_t* out,
                     int64_t out_pitch, char* error) {
    return failed(error, [&] {
        Input from = plan->in;
        Output to = plan->out;
        from.data = in, from.pitch = in_pitch;
        to.data = out, to.pitch = out_pitch;
        plan->plan.run(from, to);
    });
}

int convolab_cpu_threads(const convolab_cpu* plan) { return plan->plan.threads(); }
void convolab_cpu_free(convolab_cpu* plan) { delete plan; }

int convolab_gaussian(int side, double sigma, int32_t* taps, char* error) {
    return failed(error, [&] { std::ranges::copy(gaussian(side, sigma), taps); });
}
