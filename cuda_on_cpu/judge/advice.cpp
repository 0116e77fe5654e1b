// SPDX-License-Identifier: MIT
// The emulator's sentences name the mistake, but they do not know a student's usual reason for it.
#include "advice.hpp"

namespace cuda_on_cpu::judge {
namespace {

// The first whose words the sentence contains.
constexpr struct {
    const char *words, *advice;
} advices[] = {
    {"at an address that is not a multiple of",
     "a type of n bytes is read and written at multiples of n only: begin where the index is such "
     "a "
     "multiple, or take the elements one by one."},
    {"past the end of the dynamic shared memory",
     "the third value in <<< >>> counts bytes: n * sizeof(the type)."},
    {"past the end of the __shared__ variables",
     "the index into a tile is y * its width + x, and a tile has as many elements as the block has "
     "threads, and those of the halo."},
    {"past the end of host memory", "is the host's array as large as what is copied, in bytes?"},
    {"a copy reads", "a copy counts bytes: n * sizeof(the type), and so does cudaMalloc."},
    {"a copy writes", "a copy counts bytes: n * sizeof(the type), and so does cudaMalloc."},
    {"a copy goes",
     "offset and size of a copy to or from a variable count bytes, and both together are at most "
     "its size."},
    {"cudaMemset writes", "its third value counts bytes: n * sizeof(the type)."},
    {"which kernels can only read",
     "make it a __device__ variable, or let the host fill it: cudaMemcpyToSymbol."},
    {"__ variable of ", "the index is 0 or more, and less than the number of its elements."},
    {"past the end of",
     "one of three is wrong. The guard: if (i < n), and not <= n; in two dimensions if (x < width "
     "&& y < height), with the index y * width + x. The memory: cudaMalloc counts bytes, n * "
     "sizeof(the type). The launch: <<<blocks, threads>>>."},
    {"before the beginning of",
     "keep the index from getting negative: before in[i - 1], for instance, if (i > 0)."},
    {"no allocation returned", "cudaFree(d), the pointer that cudaMalloc has set, and not &d."},
    {"wrong pointer or index", "is it set, and is the index inside of its array?"},
    {"host memory that does not exist", "is the pointer set, and the index inside of its array?"},
    {"wait in __shfl", "the mask must name exactly the lanes that come there."},
    {"with the mask", "the mask must name exactly the lanes that come there."},
    {"not all threads arrive",
     "all threads of the block must come to the barrier: put it outside of the branch, and do not "
     "return before it."},
    {"at different barriers", "all threads of the block must come to the same __syncthreads()."},
    {"is a pointer, but not to device",
     "give the kernel memory from cudaMalloc, and fill that with cudaMemcpy."},
    {"that the host has given to the device",
     "a pointer in a struct, a table or a __device__ variable must be one that cudaMalloc has set: "
     "allocate and fill on the device what it points to, then copy that pointer."},
    {"of an object that the host has made",
     "make the object in a kernel, with new (memory) and the name of its class: its table of "
     "virtual functions is then the device's."},
    {"was asked for 0 bytes",
     "a product of ints that is 4294967296 overflows to 0: begin it with a size_t, such as "
     "sizeof(float) * width * height."},
    {"through a null pointer", "has cudaMalloc been called, and has it returned cudaSuccess?"},
    {"uses an invalid pointer", "has cudaMalloc been called for it?"},
    {"freed before", "free it once."},
    {"that cudaFreeAsync freed",
     "free it in the stream that uses it last, or let its stream wait for that one: "
     "cudaEventRecord(event, stream), cudaStreamWaitEvent(the other stream, event)."},
    {"memory that was freed", "free it after its last use."},
    {"memory that cudaFree", "free it after its last use."},
    {"threads; allowed are", "a block has at most 1024 threads in all: dim3 block(32, 32)."},
    {"blocks; allowed are", "(n + threads - 1) / threads blocks, which is never 0."},
    {"bytes of dynamic shared memory; allowed", "make the tile smaller."},
    {"the direction is",
     "cudaMemcpy(to, from, bytes, direction). A __constant__ or __device__ variable needs "
     "cudaMemcpyToSymbol."},
    {"a kernel launches it", "launch it from the host."},
    {"uses element", "is the array as large as the block, and does the loop end in time?"},
    {"overflows its stack", "is a function calling itself without an end?"},
    {"CUDA_ON_CPU_TIMEOUT",
     "does the loop end? Do threads wait for a block that runs later, or for a value that nobody "
     "writes?"},
};

}  // namespace

std::string advice_for(const std::string& sentence) {
    if (sentence.find("Remedy: ") != std::string::npos) return {};
    for (const auto& [words, advice] : advices)
        if (sentence.find(words) != std::string::npos) return advice;
    return {};
}

}  // namespace cuda_on_cpu::judge
