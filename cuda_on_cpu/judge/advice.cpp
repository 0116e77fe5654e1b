// SPDX-License-Identifier: MIT
// The emulator's sentences say what has happened, but not why a student's program usually does it.
#include "advice.hpp"

namespace cuda_on_cpu::judge {
namespace {

// The first whose words the sentence contains.
constexpr struct {
    const char *words, *advice;
} advices[] = {
    {"at an address that is not a multiple of",
     "Causes: an index or offset that is no multiple of the type's elements | the last elements, "
     "which fill no whole vector"},
    {"past the end of the dynamic shared memory",
     "Remedy: the third value in <<< >>> counts bytes: n * sizeof(the type)."},
    {"past the end of the __shared__ variables",
     "Causes: an index that is not y * the tile's width + x | a tile without room for the halo"},
    {"past the end of host memory", "Causes: a host array of fewer bytes than are copied"},
    {"a copy goes",
     "Remedy: offset and size of a copy to or from a variable count bytes, and both together are "
     "at most its size."},
    {"a copy ", "Causes: a copy or cudaMalloc counts bytes: n * sizeof(the type)"},
    {"cudaMemset writes", "Remedy: its third value counts bytes: n * sizeof(the type)."},
    {"which kernels can only read",
     "Remedy: make it a __device__ variable, or let the host fill it: cudaMemcpyToSymbol."},
    {"__ variable of ", "Causes: an index below 0, or not below the number of elements"},
    {"past the end of",
     "Causes: the guard, if (i < n), not <= n; in two dimensions if (x < width && y < height), "
     "with "
     "the index y * width + x | the memory: cudaMalloc counts bytes, n * sizeof(the type); a pitch "
     "counts bytes, too | the launch: <<<blocks, threads>>>, a width in x and a height in y"},
    {"before the beginning of",
     "Causes: an index below 0, such as that of in[i - 1] without if (i > 0)"},
    {"no allocation returned",
     "Remedy: cudaFree(d), the pointer that cudaMalloc has set, and not &d."},
    {"wrong pointer or index", "Causes: a pointer that is not set | an index outside of its array"},
    {"host memory that does not exist",
     "Causes: a pointer that is not set | an index outside of its array"},
    {"wait in __shfl", "Remedy: the mask must name exactly the lanes that come there."},
    {"with the mask", "Remedy: the mask must name exactly the lanes that come there."},
    {"not all threads arrive",
     "Causes: the barrier is in a branch, or behind a return, that only some of the threads take"},
    {"at different barriers",
     "Remedy: all threads of the block must come to the same __syncthreads()."},
    {"is a pointer, but not to device",
     "Remedy: give the kernel memory from cudaMalloc, and fill that with cudaMemcpy."},
    {"that the host has given to the device",
     "Remedy: allocate and fill on the device what it points to, and copy that pointer."},
    {"of an object that the host has made",
     "Remedy: make the object in a kernel, with new (memory) and the name of its class: its table "
     "of virtual functions is then the device's."},
    {"was asked for 0 bytes",
     "Causes: a product of ints that is 4294967296 overflows to 0: begin it with a size_t, such "
     "as sizeof(float) * width * height"},
    {"through a null pointer", "Causes: cudaMalloc was not called, or has failed"},
    {"uses an invalid pointer", "Causes: cudaMalloc was not called for it"},
    {"freed before", "Remedy: free it once."},
    {"that cudaFreeAsync freed",
     "Remedy: free it in the stream that uses it last, or let its stream wait for that one: "
     "cudaEventRecord(event, stream), cudaStreamWaitEvent(the other stream, event)."},
    {"memory that was freed", "Remedy: free it after its last use."},
    {"memory that cudaFree", "Remedy: free it after its last use."},
    {"threads; allowed are",
     "Remedy: a block has at most 1024 threads in all: dim3 block(32, 32)."},
    {"blocks; allowed are", "Remedy: (n + threads - 1) / threads blocks, which is never 0."},
    {"bytes of dynamic shared memory; allowed", "Remedy: make the tile smaller."},
    {"the direction is",
     "Causes: the two pointers of cudaMemcpy(to, from, bytes, direction) are swapped, or the "
     "direction is wrong | a __constant__ or __device__ variable, which needs cudaMemcpyToSymbol"},
    {"a kernel launches it", "Remedy: launch it from the host."},
    {"uses element",
     "Causes: an array with fewer elements than the block has threads | a loop that "
     "ends too late"},
    {"overflows its stack", "Causes: a function that calls itself without an end"},
    {"CUDA_ON_CPU_TIMEOUT",
     "Causes: a loop that does not end | threads that wait for a block that runs later | threads "
     "that wait for a value that nobody writes"},
    {"operand of comma",
     "Remedy: (16, 16) is 16, as a comma in parentheses drops what is before it: write dim3 "
     "block(16, 16), and in <<< >>> dim3(16, 16)."},
    {"uninitialized", "Remedy: give it a value before it is read, int sum = 0;"},
};

}  // namespace

std::string with_advice(const std::string& sentence) {
    for (const char* const known : {"Remedy: ", "Causes: "})
        if (sentence.find(known) != std::string::npos) return sentence;
    for (const auto& [words, advice] : advices)
        if (sentence.find(words) != std::string::npos) return sentence + " " + advice;
    return sentence;
}

}  // namespace cuda_on_cpu::judge
