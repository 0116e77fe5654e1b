// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/exercise/device.hpp"
#include "common/exercise/judge.hpp"

using namespace convolab::exercise;

void negative_by_parts(const unsigned char* in, unsigned char* out, int samples);

static void answer(const Input& in, std::vector<unsigned char>& out, Stopwatch&) {
    negative_by_parts(in.samples.data(), out.data(), in.samples.size());
    check(cudaGetLastError());
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (std::size_t i = 0; i < in.samples.size(); ++i) out[i] = 255 - in.samples[i];
}

int main(int argc, char** argv) {
    return judge<unsigned char>(
        argc, argv,
        {.answer = answer, .expected = expected, .counts = {{"negative", "launches", 5, 5}}});
}
