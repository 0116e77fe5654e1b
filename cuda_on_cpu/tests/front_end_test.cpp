// SPDX-License-Identifier: MIT
// How cuda-on-cpu handles warnings, missing libraries, C files, archives and headers, and an
// emulator in a folder that it cannot write to.
#include <set>
#include <sstream>
#include <string>

#include "catch.hpp"
#include "folder.hpp"

TEST_CASE("cuda-on-cpu passes -W options on, and the emulator's headers stay silent") {
    const Folder folder;
    folder.file("clean.cu", R"(#include <cooperative_groups.h>
#include <cstdio>
__constant__ float c_taps[3];
__device__ int never_called(int x) { return x; }
template <class T> __global__ void scale(T* values, int n) {
    extern __shared__ T s_tile[];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    s_tile[threadIdx.x] = i < n ? values[i] : T(0);
    cooperative_groups::this_thread_block().sync();
    if (i < n) values[i] = 2 * __shfl_sync(0xffffffff, s_tile[threadIdx.x], 3);
    if (i == 0) atomicAdd(values, T(1));
}
int main() {
    float* values = nullptr;
    if (cudaMallocManaged(&values, 128) != cudaSuccess) return 1;
    cudaMemset(values, 0, 128);
    scale<<<1, 32, 128>>>(values, 32);
    cudaDeviceSynchronize();
    std::printf("%g\n", static_cast<double>(values[0]));
}
)");
    CHECK(folder
              .run("cuda-on-cpu -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "
                   "all-warnings -Wno-deprecated-gpu-targets -Wl,-O1 clean.cu && ./a.out")
              .output == "1\n");
    folder.file("lost.cu", "__global__ void k(int n) {\n    int lost;\n}\n");
    const Result warned = folder.run("cuda-on-cpu -Wall -Wextra -c lost.cu");
    CHECK(warned.status == 0);
    CHECK(contains(warned.output, "lost.cu:1:23: warning: unused parameter 'n'"));
    CHECK(contains(warned.output, "lost.cu:2:9: warning: unused variable 'lost'"));
    folder.file("declared.cu", "__device__ int defined_elsewhere(int x);\n");
    CHECK(folder.run("cuda-on-cpu -Wall -c declared.cu").output.empty());
    CHECK(folder.run("cuda-on-cpu -Wall -Wno-unused-variable -c lost.cu").output.empty());
    CHECK(folder.run("cuda-on-cpu -Werror=unused-variable -c lost.cu").status == 1);
    CHECK(folder.run("cuda-on-cpu -c lost.cu").output.empty());
}

TEST_CASE("after the error of a missing library cuda-on-cpu prints nothing else") {
    const Folder folder;
    folder.file("random.cuh", "#include <curand_kernel.h>\ninline curandState state;\n");
    folder.file("blas.cu", R"(#include <cublas_v2.h>
#include "random.cuh"
int main() {
    int lost;
    cublasHandle_t handle;
    return cublasCreate(&handle) + missing;
}
)");
    const Result result = folder.run("cuda-on-cpu -Wall blas.cu");
    CHECK(result.status == 1);
    const std::string end = "): see cuda_on_cpu/README.md, or compile with nvcc.\"\n";
#ifdef __clang__
    const std::string error = ": error: \"CUDA on the CPU does not have ";
#else
    const std::string error = ": error: #error \"CUDA on the CPU does not have ";
#endif
    std::string output = result.output;  // which of two errors names its folder
    if (const std::size_t at = output.find("./random"); at != std::string::npos)
        output.erase(at, 2);
    CHECK(output == "blas.cu:1:2" + error + "cuBLAS (cublas_v2.h" + end + "random.cuh:1:2" + error +
                        "cuRAND (curand_kernel.h" + end);
}

TEST_CASE("cuda-on-cpu compiles C as C, and C calls the runtime") {
    const Folder folder;
    folder.file("run.h",
                "#ifdef __cplusplus\nextern \"C\"\n#endif\nint run(float* d_out, dim3 grid);\n");
    folder.file("run.cu", R"(#include "run.h"
__global__ void fill(float* out) { out[blockIdx.x] = blockIdx.x; }
int run(float* d_out, dim3 grid) { fill<<<grid, 1>>>(d_out); return cudaGetLastError(); }
)");
    folder.file("main.c", R"(#include <cuda_runtime_api.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include "run.h"
int main(void) {
    float *new = NULL, class[4];  /* no names of C++ */
    struct cudaDeviceProp properties;
    enum cudaMemcpyKind back = cudaMemcpyDeviceToHost;
    dim3 grid = {4, 1, 1};
    float4 four = make_float4(1, 2, 3, 4);
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    if (!error) error = cudaMalloc((void**)&new, sizeof class);
    if (!error) error = run(new, grid);
    if (!error) error = cudaMemcpy(class, new, sizeof class, back);
    printf("%s %g %g\n", cudaGetErrorName(error), class[3], four.w);
    return cudaFree(new);
}
)");
    CHECK(folder.run("cuda-on-cpu -std=c++17 -Wall -Wextra main.c run.cu && ./a.out").output ==
          "cudaSuccess 3 4\n");
    folder.file(
        "old.c",
        "int cudaThreadSynchronize(void);\nint main(void) { return cudaThreadSynchronize(); }\n");
    CHECK(folder.run("cc -c old.c && cuda-on-cpu old.o && ./a.out").output.empty());
    folder.file("cpp.c", "int main() { auto f = [] { return 0; }; return f(); }\n");
    CHECK(folder.run("cuda-on-cpu cpp.c").status == 1);
    CHECK(folder.run("cuda-on-cpu -x c++ cpp.c && ./a.out").status == 0);
}

TEST_CASE("cuda-on-cpu links an archive after the objects, wherever it is named") {
    const Folder folder;
    folder.file("twice.cu",
                "__global__ void k() {}\nint twice(int a) { k<<<1, 1>>>(); "
                "cudaDeviceSynchronize(); return 2 * a; }\n");
    folder.file("main.cu", "int twice(int);\nint main() { return twice(2) - 4; }\n");
    const std::string make = "cuda-on-cpu -c twice.cu && ar rcs libtwice.a twice.o && ";
    for (const char* const order :
         {"main.cu libtwice.a", "libtwice.a main.cu", "main.cu -L. -ltwice"}) {
        const Result result = folder.run(make + "cuda-on-cpu " + order + " && ./a.out");
        INFO(order);
        CHECK(result.output == "");
        CHECK(result.status == 0);
    }
}

TEST_CASE("cuda-on-cpu translates a header for each CUDA source, and leaves it alone for C") {
    const Folder folder;
    folder.file("shared.h", R"(#ifdef __cplusplus
__global__ void k() {}
inline void run() { k<<<1, 1>>>(); }
#else
int cuda = 1 <<1, left = 3;
#endif
)");
    folder.file("a.cu",
                "#include \"shared.h\"\nint main() { run(); return cudaDeviceSynchronize(); }\n");
    folder.file("b.c", "#include \"shared.h\"\n");
    CHECK(
        folder.run("DEPENDENCIES_OUTPUT=read.txt cuda-on-cpu a.cu b.c && ./a.out").output.empty());
    std::istringstream lines(folder.run("cat read.txt").output);
    std::set<std::string> translations;
    for (std::string line; std::getline(lines, line);)
        if (contains(line, "/shared.h")) translations.insert(line);
    CHECK(translations.size() == 2);
}

TEST_CASE("cuda-on-cpu leaves out a folder with CUDA's own headers") {
    const Folder folder;
    folder.file("cuda/include/cuda_runtime.h", "#error this is the installed CUDA\n");
    folder.file("x.cu",
                "#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n");
    for (const char* const option : {"-Icuda/include", "-isystem cuda/include"})
        CHECK(folder.run("cuda-on-cpu " + std::string(option) + " x.cu && ./a.out").output.empty());
}

TEST_CASE("a compiled emulator runs from a read-only folder") {
    const Folder folder;
    folder.file(
        "x.cu",
        "__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n");
    // Root can write everywhere, so the test runs as another user.
    const std::string user = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups " : "";
    const Result result = folder.run(
        "mkdir -p \"it's all\" out && chmod 777 out && (cd '" + Folder::tool().string() +
        "' && tar cf - --exclude=./tests --exclude=./build/tests --exclude=./build/precompiled "
        "--exclude='*.o' .) | tar xf - -C "
        "\"it's all\" && "
        "chmod -R a-w \"it's all\" && touch now && sleep 0.1 && " +
        user +
        "\"it's all/cuda-on-cpu\" x.cu -o out/x && out/x; status=$?; find \"it's all\" -newer now; "
        "chmod -R u+w \"it's all\"; exit $status");
    CHECK(result.output.empty());
    CHECK(result.status == 0);
}

TEST_CASE("a thread that asks for its last error has not checked another thread's") {
    const Folder folder;
    folder.file("x.cu", R"(#include <thread>
int main(int count, char**) {
    cudaSetDevice(99);
    std::thread([] { cudaGetLastError(); }).join();
    if (count > 1) cudaGetLastError();
}
)");
    CHECK(contains(folder.run("cuda-on-cpu -std=c++20 x.cu && ./a.out").output,
                   "cudaSetDevice at x.cu:3 returned cudaErrorInvalidDevice"));
    CHECK(folder.run("./a.out 1").output.empty());
}
