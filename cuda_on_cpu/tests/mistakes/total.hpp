// SPDX-License-Identifier: MIT
#pragma once

__device__ inline float total(const float* values, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    return sum;
}
