// SPDX-License-Identifier: MIT
// What the judge of a CUDA exercise does around a launch. While it times a launch of the answer,
// the answer may bring nothing to the host: the work is the kernel's, and the judge copies the
// result. The answer may allocate only as much as the picture needs. tools/exercises links the
// emulator's functions of these names with --wrap, so that the ones here are called first.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/exercise/exercise.hpp"
#include "common/exercise/on_way.hpp"
#include "common/exercise/variables.hpp"

namespace convolab::exercise {

[[maybe_unused]] static bool is_launching = false;

/// For refuse_host: not the host.
[[maybe_unused]] static const void* const kNowhere = &is_launching;

/// This many bytes fit one size of picture, and are too few for a larger one.
[[maybe_unused]] static void refuse_fixed(std::size_t bytes, const char* function) {
    if (bytes > most_bytes)
        complain("the answer asks for " + std::to_string(bytes) + " bytes with " + function +
                 ", far more than this picture needs, so they are for one size of picture. "
                 "Compute the number from width and height.");
}

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

/// Ends the program with CUDA's words for an error of the answer.
inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    complain(std::string("CUDA says: ") + cudaGetErrorString(error) + '.');
}

/// Host values in device memory, as long as this lives.
template <class T>
class OnDevice {
  public:
    explicit OnDevice(const std::vector<T>& values) : bytes_(values.size() * sizeof(T)) {
        check(cudaMalloc(&data_, bytes_));
        check(cudaMemcpy(data_, values.data(), bytes_, cudaMemcpyHostToDevice));
    }
    ~OnDevice() { cudaFree(data_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    T* data() const { return data_; }
    void copy_to(std::vector<T>& values) const {
        check(cudaMemcpy(values.data(), data_, bytes_, cudaMemcpyDeviceToHost));
    }

  private:
    std::size_t bytes_;
    T* data_ = nullptr;
};

/// Times launch() until the device is done. It brings nothing to the host.
template <class Launch>
void time_launch(Stopwatch& watch, Launch launch) {
    is_launching = true;
    watch.start();
    launch();
    is_launching = false;
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    watch.stop();
}

/// Values in pinned memory of the host, as long as this lives.
template <class T>
class Pinned {
  public:
    explicit Pinned(const std::vector<T>& values) : size_(values.size()) {
        check(cudaMallocHost(&data_, size_ * sizeof(T)));
        std::copy(values.begin(), values.end(), data_);
    }
    ~Pinned() { cudaFreeHost(data_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

    T* data() const { return data_; }
    std::vector<T> values() const { return {data_, data_ + size_}; }

  private:
    std::size_t size_;
    T* data_ = nullptr;
};

/// A stream that does not wait for the default stream.
class Stream {
  public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    cudaStream_t get() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

/// Ends the program with an error message about the answer, unless it is right.
inline void require(bool is_right, const char* sentence) {
    if (!is_right) complain(sentence);
}

}  // namespace convolab::exercise

#if defined(CUDA_ON_CPU) && defined(CONVOLAB_ANSWER)
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
#define CONVOLAB_WRAP(symbol, refuse, parameters, arguments) \
    extern "C" cudaError_t __real_##symbol parameters;       \
    extern "C" cudaError_t __wrap_##symbol parameters {      \
        using namespace convolab::exercise;                  \
        refuse;                                              \
        const cudaError_t error = __real_##symbol arguments; \
        change_constants();                                  \
        return error;                                        \
    }
CONVOLAB_WRAP(cudaMemcpy, (refuse_host(a, "cudaMemcpy"), ++waiting_copies, b = on_way(b, c, d)),
              (void* a, const void* b, std::size_t c, cudaMemcpyKind d), (a, b, c, d))
CONVOLAB_WRAP(cudaMemcpyAsync, (refuse_host(a, "cudaMemcpyAsync"), b = on_way(b, c, d)),
              (void* a, const void* b, std::size_t c, cudaMemcpyKind d, cudaStream_t e),
              (a, b, c, d, e))
CONVOLAB_WRAP(cudaMemcpy2D, refuse_host(a, "cudaMemcpy2D"),
              (void* a, std::size_t b, const void* c, std::size_t d, std::size_t e, std::size_t f,
               cudaMemcpyKind g),
              (a, b, c, d, e, f, g))
CONVOLAB_WRAP(cudaMemcpy2DAsync, refuse_host(a, "cudaMemcpy2DAsync"),
              (void* a, std::size_t b, const void* c, std::size_t d, std::size_t e, std::size_t f,
               cudaMemcpyKind g, cudaStream_t h),
              (a, b, c, d, e, f, g, h))
CONVOLAB_WRAP(cudaMemcpy3D, refuse_host(a->dstPtr.ptr, "cudaMemcpy3D"),
              (const cudaMemcpy3DParms* a), (a))
CONVOLAB_WRAP(cudaMemcpy3DAsync, refuse_host(a->dstPtr.ptr, "cudaMemcpy3DAsync"),
              (const cudaMemcpy3DParms* a, cudaStream_t b), (a, b))
CONVOLAB_WRAP(cudaMemcpyFromArray, refuse_host(a, "cudaMemcpyFromArray"),
              (void* a, cudaArray_const_t b, std::size_t c, std::size_t d, std::size_t e,
               cudaMemcpyKind f),
              (a, b, c, d, e, f))
CONVOLAB_WRAP(cudaMemcpy2DFromArray, refuse_host(a, "cudaMemcpy2DFromArray"),
              (void* a, std::size_t b, cudaArray_const_t c, std::size_t d, std::size_t e,
               std::size_t f, std::size_t g, cudaMemcpyKind h),
              (a, b, c, d, e, f, g, h))
CONVOLAB_WRAP(_ZN11cuda_on_cpu11copy_symbolEPKvmmS1_Pvmmb14cudaMemcpyKindP11CUstream_st,
              refuse_host(e ? e : kNowhere, "cudaMemcpyFromSymbol"),
              (const void* a, std::size_t b, std::size_t c, const void* d, void* e, std::size_t f,
               std::size_t g, bool h, cudaMemcpyKind i, cudaStream_t j),
              (a, b, c, d, e, f, g, h, i, j))
CONVOLAB_WRAP(cudaMallocManaged, refuse_host(nullptr, "cudaMallocManaged"),
              (void** a, std::size_t b, unsigned c), (a, b, c))
CONVOLAB_WRAP(cudaHostAlloc, refuse_host(nullptr, "cudaHostAlloc"),
              (void** a, std::size_t b, unsigned c), (a, b, c))
CONVOLAB_WRAP(cudaMallocHost, refuse_host(nullptr, "cudaMallocHost"),
              (void** a, std::size_t b, unsigned c), (a, b, c))
CONVOLAB_WRAP(cudaHostRegister, refuse_host(nullptr, "cudaHostRegister"),
              (void* a, std::size_t b, unsigned c), (a, b, c))
CONVOLAB_WRAP(cudaMalloc, refuse_fixed(b, "cudaMalloc"), (void** a, std::size_t b), (a, b))
CONVOLAB_WRAP(cudaMallocAsync, refuse_fixed(b, "cudaMallocAsync"),
              (void** a, std::size_t b, cudaStream_t c), (a, b, c))
CONVOLAB_WRAP(cudaMallocPitch, refuse_fixed(c* d, "cudaMallocPitch"),
              (void** a, std::size_t* b, std::size_t c, std::size_t d), (a, b, c, d))
#undef CONVOLAB_WRAP
// NOLINTEND(bugprone-reserved-identifier)
#endif
