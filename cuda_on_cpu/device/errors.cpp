// SPDX-License-Identifier: MIT
#include "errors.hpp"

const char* cudaGetErrorName(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define CUDA_ON_CPU_CASE(name, number, text) \
    case name:                               \
        return #name;
        CUDA_ON_CPU_ERRORS(CUDA_ON_CPU_CASE)
#undef CUDA_ON_CPU_CASE
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define CUDA_ON_CPU_CASE(name, number, text) \
    case name:                               \
        return text;
        CUDA_ON_CPU_ERRORS(CUDA_ON_CPU_CASE)
#undef CUDA_ON_CPU_CASE
    }
    return "unrecognized error code";
}
