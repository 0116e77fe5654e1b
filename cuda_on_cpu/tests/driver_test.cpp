// SPDX-License-Identifier: MIT
// cuda-on-cpu as a student calls it: its options, its messages, and what it leaves.
#include <string>

#include "catch.hpp"
#include "folder.hpp"

TEST_CASE("cuda-on-cpu builds a file that includes nothing, and leaves only the program") {
    const Folder folder;
    folder.file("hello.cu", R"(#include <cstdio>
__global__ void hello() { printf("hello from %d\n", threadIdx.x); }
int main() { hello<<<1, 2>>>(); return cudaDeviceSynchronize(); }
)");
    const Result built = folder.run("cuda-on-cpu hello.cu -o hello && ./hello");
    CHECK(built.output == "hello from 0\nhello from 1\n");
    CHECK(built.status == 0);
    CHECK(folder.contents() == "hello hello.cu ");
}

TEST_CASE("cuda-on-cpu takes its header precompiled, where the options allow it") {
    const Folder folder;
    folder.file(
        "hello.cu",
        "#include <cuda_runtime.h>\n__global__ void f() {}\nint main() { f<<<1, 1>>>(); }\n");
    [[maybe_unused]] const auto reads_headers =
        [&](const std::string& options) {                        // what g++ depends on
            folder.run("cuda-on-cpu " + options + " hello.cu");  // the first compiles the header
            return contains(folder
                                .run("SUNPRO_DEPENDENCIES=read.txt cuda-on-cpu " + options +
                                     " hello.cu; cat read.txt; rm read.txt")
                                .output,
                            "launch_syntax.hpp");
        };
#ifndef __clang__
    CHECK_FALSE(reads_headers("-I. -Wall"));
    CHECK_FALSE(reads_headers("check"));
    CHECK_FALSE(reads_headers("count"));
    CHECK(reads_headers("-Xcompiler -fno-inline"));
#endif
}

TEST_CASE("cuda-on-cpu takes several files, objects, headers that launch, nvcc's options") {
    const Folder folder;
    folder.file("kernels/fill.cuh", R"(#pragma once
template <class T> __global__ void fill(T* out) {
    extern __shared__ T s_tile[];
    s_tile[threadIdx.x] = VALUE;
    out[threadIdx.x] = s_tile[threadIdx.x];
}
template <class T> void run_fill(T* out) { fill<<<1, 4, 4 * sizeof(T)>>>(out); }
)");
    folder.file("main.cu", R"(#include <fill.cuh>
#include "device_launch_parameters.h"
int check(const float* values);
int main() {
    float* values;
    cudaMallocManaged(&values, 16);
    run_fill(values);
    cudaDeviceSynchronize();
    return check(values);
}
)");
    folder.file("check.cpp", R"(#include <cuda_runtime.h>
int check(const float* v) { return v[3] == 7 && cudaGetLastError() == cudaSuccess ? 0 : 1; }
)");
    const Result result = folder.run(
        "cuda-on-cpu -arch=sm_80 -gencode arch=compute_80,code=sm_80 -O2 --std=c++17 -Ikernels "
        "-lineinfo -rdc=true -Xcompiler -Wall,-Wextra -DVALUE=7 -c main.cu && "
        "cuda-on-cpu -x c++ check.cpp main.o -lcudart -lm -o program && ./program");
    CHECK(result.output.empty());
    CHECK(result.status == 0);
    CHECK(folder.contents() == "check.cpp kernels main.cu main.o program ");
}

TEST_CASE("cuda-on-cpu's errors name the program's lines, and nothing of the emulator") {
    const Folder folder;
    folder.file("k.cuh", "__global__ void k(int* p) {\n    *p = missing;\n}\n");
    folder.file("bad.cu", "#include \"k.cuh\"\nint main() {\n    k<<<1, 1>>>(1, 2);\n}\n");
    const Result bad = folder.run("cuda-on-cpu bad.cu");
    CHECK(bad.status == 1);
    CHECK(contains(bad.output, "k.cuh:2:10: error: 'missing' was not declared in this scope"));
    CHECK(contains(bad.output, "bad.cu:3:"));
    CHECK(!contains(bad.output, "cuda_on_cpu/include"));
    CHECK(folder.contents() == "bad.cu k.cuh ");
    folder.file("guard.cu", R"(__global__ void k(int* p) {
    p[threadIdx.x] = 1;
}
int main() { int* p; cudaMalloc(&p, 16); k<<<1, 8>>>(p); return cudaDeviceSynchronize() != 0; }
)");
    const Result guard = folder.run("cuda-on-cpu guard.cu && ./a.out");
    CHECK(contains(guard.output, "kernel k, launched at guard.cu:4"));
    CHECK(contains(guard.output, "at guard.cu:2."));
}

TEST_CASE("cuda-on-cpu names what CUDA no longer has, and the driver API") {
    const Folder folder;
    const struct {
        const char *line, *words;
    } rows[] = {
        {"__device__ int f(int x) { return __shfl_down(x, 1); }",
         "\ncuda-on-cpu: CUDA has no warp functions without a mask any more: use __shfl_down_sync"},
        {"texture<float, 2> image;",
         "\ncuda-on-cpu: CUDA has no texture references any more: use cudaTextureObject_t\n"},
        {"int f() { CUdevice device; return cuDeviceGet(&device, 0); }",
         "\ncuda-on-cpu: CUDA on the CPU does not have the driver API: compile with nvcc\n"},
    };
    for (const auto& [line, words] : rows) {
        folder.file("old.cu", std::string(line) + "\n");
        const Result old = folder.run("cuda-on-cpu -c old.cu");
        CHECK(old.status == 1);
        CHECK(contains(old.output, "old.cu:1:"));
        CHECK(contains(old.output, words));
    }
    folder.file("own.cu", "int texture(int); int f() { return texture(x); }\n");
    CHECK(!contains(folder.run("cuda-on-cpu -c own.cu").output, "cuda-on-cpu: "));
}

TEST_CASE("cuda-on-cpu names -rdc where a file uses what another one defines") {
    const Folder folder;
    folder.file("scale.cuh", "extern __constant__ float factor;\n__device__ float scale(float);\n");
    folder.file("scale.cu", R"(#include "scale.cuh"
__constant__ float factor = 2;
__device__ float scale(float x) { return factor * x; }
)");
    folder.file("main.cu", R"(#include "scale.cuh"
__global__ void k(float* p) { *p = scale(*p); }
int main() {
    float *p, h = 0;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    k<<<1, 1>>>(p);
    return cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
}
)");
    const Result apart = folder.run("cuda-on-cpu main.cu scale.cu");
    CHECK(apart.status == 1);
    CHECK(contains(apart.output, "of another file needs -rdc=true, as with nvcc\n"));
    const Result together = folder.run("cuda-on-cpu -rdc=true main.cu scale.cu && ./a.out");
    CHECK(together.output.empty());
    CHECK(together.status == 0);
}

TEST_CASE("a program of C++17 meets neither a function nor a warning of C++20") {
    const Folder folder;
    folder.file("main.cu", R"(#include <cstdio>
float lerp(float a, float b, float t);
enum A { one = 1 };
enum B { two = 2 };
__global__ void sum(int* out) {
    __shared__ volatile int s_sum[1];
    s_sum[0] = one | two;
    s_sum[0] += 4;
    *out = s_sum[0];
}
int main() {
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    sum<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    std::printf("%d %g\n", *out, lerp(1, 3, 0.5F));
}
)");
    folder.file("lerp.cpp", R"(#include <cmath>
#include <vector>
#include <cuda_runtime.h>
float lerp(float a, float b, float t) { return a + t * (b - a); }
)");
    CHECK(folder.run("cuda-on-cpu -std=c++17 main.cu lerp.cpp && ./a.out").output == "7 2\n");
}

TEST_CASE("a write past the last tile through a pointer is found, and changes nothing else") {
    const Folder folder;
    folder.file("tile.cu", R"(#include <cstdio>
__global__ void fill(int* out, int i) {
    __shared__ int s_tile[64];
    int* const tile = s_tile;
    for (int at = i; at >= 0; at -= 32) tile[at] = 0;
    *out = s_tile[0];
}
int main(int count, char**) {
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    fill<<<1, 1>>>(out, count == 1 ? 63 : 1000);
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
)");
    CHECK(folder.run("cuda-on-cpu tile.cu && ./a.out").output == "cudaSuccess\n");
    const std::string output = folder.run("./a.out past").output;
    CHECK(contains(output,
                   "block (0,0,0) of (1,1,1): a thread writes 3748 bytes past the end of "
                   "the __shared__ variables"));
    CHECK(contains(output, "cudaErrorIllegalAddress\n"));
}

TEST_CASE("cuda-on-cpu stops at what it does not know, with one error message") {
    const Folder folder;
    folder.file("x.cu", "");
    const auto fails = [&](const std::string& arguments, const std::string& why, int status = 2) {
        const Result result = folder.run("cuda-on-cpu " + arguments);
        CHECK(result.output == "cuda-on-cpu: " + why + "\n");
        CHECK(result.status == status);
    };
    fails("x.cu -ptx", "option -ptx is not known; cuda-on-cpu --help lists those of nvcc that are");
    fails("x.cu -o", "option -o needs a value");
    fails("", "no source is named; cuda-on-cpu --help");
    fails("x.f90",
          "'x.f90' is no .cu, .cpp, .cc, .cxx, .c, .o, .a or .so file; -x cu takes it as CUDA");
    fails("x.cu y.cu -c -o z.o", "-c with -o takes one source");
    fails("y.cu", "cannot read y.cu", 1);
    fails("x.cu -lcublas", "CUDA on the CPU does not have the library 'cublas': compile with nvcc",
          1);
}
