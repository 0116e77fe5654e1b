// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// While a launch of the answer is timed, it brings nothing to the host: the work is the kernel's,
// and the judge copies the result. tools/exercises links the emulator's functions of these names
// with --wrap, so that they are called here first.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

#include "common/exercise/complain.hpp"

namespace convolab::exercise {

[[maybe_unused]] static bool is_launching = false;

/// For refuse_host: not the host.
[[maybe_unused]] static const void* const kNowhere = &is_launching;

[[maybe_unused]] static void refuse_host(const void* to, const char* function) {
    if (!is_launching || to == kNowhere) return;
    is_launching = false;
    cudaPointerAttributes attributes{};
    if (to && cudaPointerGetAttributes(&attributes, to) == cudaSuccess &&
        attributes.type == cudaMemoryTypeDevice)
        return void(is_launching = true);
    complain(std::string("the answer brings data to the host with ") + function +
             ". The work is the kernel's; the judge copies the result.");
}

}  // namespace convolab::exercise

#if defined(CUDA_ON_CPU) && defined(CONVOLAB_ANSWER)
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
#define CONVOLAB_WRAP(symbol, to, name, parameters, arguments) \
    extern "C" cudaError_t __real_##symbol parameters;         \
    extern "C" cudaError_t __wrap_##symbol parameters {        \
        convolab::exercise::refuse_host(to, name);             \
        return __real_##symbol arguments;                      \
    }
CONVOLAB_WRAP(cudaMemcpy, a, "cudaMemcpy",
              (void* a, const void* b, std::size_t c, cudaMemcpyKind d), (a, b, c, d))
CONVOLAB_WRAP(cudaMemcpyAsync, a, "cudaMemcpyAsync",
              (void* a, const void* b, std::size_t c, cudaMemcpyKind d, cudaStream_t e),
              (a, b, c, d, e))
CONVOLAB_WRAP(cudaMemcpy2D, a, "cudaMemcpy2D",
              (void* a, std::size_t b, const void* c, std::size_t d, std::size_t e, std::size_t f,
               cudaMemcpyKind g),
              (a, b, c, d, e, f, g))
CONVOLAB_WRAP(cudaMemcpy2DAsync, a, "cudaMemcpy2DAsync",
              (void* a, std::size_t b, const void* c, std::size_t d, std::size_t e, std::size_t f,
               cudaMemcpyKind g, cudaStream_t h),
              (a, b, c, d, e, f, g, h))
CONVOLAB_WRAP(cudaMemcpy3D, a->dstPtr.ptr, "cudaMemcpy3D", (const cudaMemcpy3DParms* a), (a))
CONVOLAB_WRAP(cudaMemcpy3DAsync, a->dstPtr.ptr, "cudaMemcpy3DAsync",
              (const cudaMemcpy3DParms* a, cudaStream_t b), (a, b))
CONVOLAB_WRAP(cudaMemcpyFromArray, a, "cudaMemcpyFromArray",
              (void* a, cudaArray_const_t b, std::size_t c, std::size_t d, std::size_t e,
               cudaMemcpyKind f),
              (a, b, c, d, e, f))
CONVOLAB_WRAP(cudaMemcpy2DFromArray, a, "cudaMemcpy2DFromArray",
              (void* a, std::size_t b, cudaArray_const_t c, std::size_t d, std::size_t e,
               std::size_t f, std::size_t g, cudaMemcpyKind h),
              (a, b, c, d, e, f, g, h))
CONVOLAB_WRAP(_ZN11cuda_on_cpu11copy_symbolEPKvmmS1_Pvmmb14cudaMemcpyKindP11CUstream_st,
              e ? e : convolab::exercise::kNowhere, "cudaMemcpyFromSymbol",
              (const void* a, std::size_t b, std::size_t c, const void* d, void* e, std::size_t f,
               std::size_t g, bool h, cudaMemcpyKind i, cudaStream_t j),
              (a, b, c, d, e, f, g, h, i, j))
CONVOLAB_WRAP(cudaMallocManaged, nullptr, "cudaMallocManaged",
              (void** a, std::size_t b, unsigned c), (a, b, c))
CONVOLAB_WRAP(cudaHostAlloc, nullptr, "cudaHostAlloc", (void** a, std::size_t b, unsigned c),
              (a, b, c))
CONVOLAB_WRAP(cudaMallocHost, nullptr, "cudaMallocHost", (void** a, std::size_t b, unsigned c),
              (a, b, c))
CONVOLAB_WRAP(cudaHostRegister, nullptr, "cudaHostRegister", (void* a, std::size_t b, unsigned c),
              (a, b, c))
#undef CONVOLAB_WRAP
// NOLINTEND(bugprone-reserved-identifier)
#endif
