# SPDX-License-Identifier: MIT
"""cuda-on-cpu as a student calls it: its options, its messages, and what it leaves."""

import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from conftest import EMULATOR

TESTS = Path(__file__).parent

HELLO = """// hello.cu
#include <cstdio>
__global__ void hello() { printf("hello from %d\\n", threadIdx.x); }
int main() { hello<<<1, 2>>>(); return cudaDeviceSynchronize(); }
"""
NOTHING = """// nothing.cu
#include <cuda_runtime.h>
__global__ void nothing() {}
int main() { nothing<<<1, 1>>>(); return cudaDeviceSynchronize(); }
"""


def test_a_file_that_includes_nothing_becomes_a_program_and_no_other_file(folder):
    folder.write(HELLO)
    assert folder.run("cuda-on-cpu hello.cu -o hello && ./hello") == (0, "hello from 0\nhello from 1\n")
    assert folder.contents() == ["hello", "hello.cu"]


@pytest.mark.long
@pytest.mark.skipif("clang" in os.environ.get("CXX", ""), reason="left out: with g++ only")
@pytest.mark.parametrize(
    "options, reads", [("-I. -Wall", False), ("check", False), ("count", False), ("-Xcompiler -fno-inline", True)]
)
def test_the_header_is_precompiled_where_the_options_allow_it(folder, options, reads):
    folder.write(NOTHING)
    folder.run(f"cuda-on-cpu {options} nothing.cu")  # compiles the header
    folder.run(f"cuda-on-cpu {options} nothing.cu", SUNPRO_DEPENDENCIES="read.txt")
    assert ("launch_syntax.hpp" in folder.read("read.txt")) == reads


def test_several_files_objects_headers_that_launch_and_options_of_nvcc(folder):
    folder.write("""
// kernels/fill.cuh
#pragma once
template <class T> __global__ void fill(T* out) {
    extern __shared__ T s_tile[];
    s_tile[threadIdx.x] = VALUE;
    out[threadIdx.x] = s_tile[threadIdx.x];
}
template <class T> void run_fill(T* out) { fill<<<1, 4, 4 * sizeof(T)>>>(out); }
// main.cu
#include <fill.cuh>
#include "device_launch_parameters.h"
int check(const float* values);
int main() {
    float* values;
    cudaMallocManaged(&values, 16);
    run_fill(values);
    cudaDeviceSynchronize();
    return check(values);
}
// check.cpp
#include <cuda_runtime.h>
int check(const float* v) { return v[3] == 7 && cudaGetLastError() == cudaSuccess ? 0 : 1; }
""")
    done = folder.run(
        "cuda-on-cpu -arch=sm_80 -gencode arch=compute_80,code=sm_80 -O2 --std=c++17 -Ikernels -lineinfo -rdc=true "
        "-Xcompiler -Wall,-Wextra -DVALUE=7 -c main.cu && "
        "cuda-on-cpu -x c++ check.cpp main.o -lcudart -lm -o program && ./program"
    )
    assert done == (0, "")
    assert folder.contents() == ["check.cpp", "kernels", "main.cu", "main.o", "program"]


def test_errors_name_the_program_s_lines_and_nothing_of_the_emulator(folder):
    folder.write("""
// k.cuh
__global__ void k(int* p) {
    *p = missing;
}
// bad.cu
#include "k.cuh"
int main() {
    k<<<1, 1>>>(1, 2);
}
""")
    code, said = folder.run("cuda-on-cpu bad.cu")
    assert code == 1
    assert "k.cuh:2:10: error: 'missing' was not declared in this scope" in said
    assert "bad.cu:3:" in said
    assert "cuda_on_cpu/include" not in said
    assert folder.contents() == ["bad.cu", "k.cuh"]


@pytest.mark.parametrize(
    "line, words",
    [
        (
            "__device__ int f(int x) { return __shfl_down(x, 1); }",
            "warp functions without a mask any more: use __shfl_down_sync",
        ),
        ("texture<float, 2> image;", "CUDA has no texture references any more: use cudaTextureObject_t\n"),
        (
            "int f() { CUdevice device; return cuDeviceGet(&device, 0); }",
            "does not have the driver API: compile with nvcc\n",
        ),
        (
            "#include <cublas_v2.h>\nint f(cublasHandle_t handle) { return cublasSaxpy(handle); }",
            "does not have cublasSaxpy: of cuBLAS, it has gemm alone\n",
        ),
        ("int texture(int); int f() { return texture(x); }", ""),
    ],
)
def test_what_cuda_no_longer_has_and_the_driver_api(folder, line, words):
    folder.write(f"// old.cu\n{line}\n")
    code, said = folder.run("cuda-on-cpu -c old.cu")
    assert code == 1
    assert f"old.cu:{line.count(chr(10)) + 1}:" in said
    assert words in said
    assert ("\ncuda-on-cpu: CUDA " in said) == (words != "")


def test_rdc_where_a_file_uses_what_another_one_defines(folder):
    folder.write("""
// scale.cuh
extern __constant__ float factor;
__device__ float scale(float);
// scale.cu
#include "scale.cuh"
__constant__ float factor = 2;
__device__ float scale(float x) { return factor * x; }
// main.cu
#include "scale.cuh"
__global__ void k(float* p) { *p = scale(*p); }
int main() {
    float *p, h = 0;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    k<<<1, 1>>>(p);
    return cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
}
""")
    code, said = folder.run("cuda-on-cpu main.cu scale.cu")
    assert code == 1
    assert "of another file needs -rdc=true, as with nvcc\n" in said
    assert folder.run("cuda-on-cpu -rdc=true main.cu scale.cu && ./a.out") == (0, "")


def test_a_program_of_cpp17_meets_neither_a_function_nor_a_warning_of_cpp20(folder):
    folder.write("""
// main.cu
#include <cstdio>
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
    std::printf("%d %g\\n", *out, lerp(1, 3, 0.5F));
}
// lerp.cpp
#include <cmath>
#include <vector>
#include <cuda_runtime.h>
float lerp(float a, float b, float t) { return a + t * (b - a); }
""")
    assert folder.run("cuda-on-cpu -std=c++17 main.cu lerp.cpp && ./a.out") == (0, "7 2\n")


@pytest.mark.parametrize(
    "arguments, why, code",
    [
        ("x.cu -ptx", "option -ptx is not known; cuda-on-cpu --help lists those of nvcc that are", 2),
        ("x.cu -o", "option -o needs a value", 2),
        ("", "no source is named; cuda-on-cpu --help", 2),
        ("x.f90", "'x.f90' is no .cu, .cpp, .cc, .cxx, .c, .o, .a or .so file; -x cu takes it as CUDA", 2),
        ("x.cu y.cu -c -o z.o", "-c with -o takes one source", 2),
        ("y.cu", "cannot read y.cu", 1),
    ],
)
def test_what_it_does_not_know_is_one_error_message(folder, arguments, why, code):
    folder.write("// x.cu\n")
    assert folder.run(f"cuda-on-cpu {arguments}") == (code, f"cuda-on-cpu: {why}\n")


def test_the_emulator_s_headers_are_silent_with_every_warning(folder):
    folder.write("""
// clean.cu
#include <cooperative_groups.h>
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
    std::printf("%g\\n", static_cast<double>(values[0]));
}
""")
    assert folder.run(
        "cuda-on-cpu -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror all-warnings "
        "-Wno-deprecated-gpu-targets -Wl,-O1 clean.cu && ./a.out"
    ) == (0, "1\n")


@pytest.mark.parametrize(
    "options, code, lines",
    [
        (
            "-Wall -Wextra",
            0,
            ["lost.cu:1:23: warning: unused parameter 'n'", "lost.cu:2:9: warning: unused variable 'lost'"],
        ),
        ("-Wall -Wno-unused-variable", 0, []),
        ("-Werror=unused-variable", 1, ["lost.cu:2:9: error: unused variable 'lost'"]),
        ("", 0, []),
    ],
)
def test_options_of_warnings_are_passed_on(folder, options, code, lines):
    folder.write("""
// lost.cu
__global__ void k(int n) {
    int lost;
}
__device__ int defined_elsewhere(int x);
""")
    done, said = folder.run(f"cuda-on-cpu {options} -c lost.cu")
    assert done == code
    assert all(line in said for line in lines)
    assert bool(said) == bool(lines)


def test_own_headers_named_like_a_library_s_are_the_program_s(folder):
    folder.write("""
// inc/cuda/sizes.h
constexpr int size_a = 1;
// inc/cublas_wrapper.h
constexpr int size_b = 1;
// beside/nccl_free_reduce.h
#include <npp_sizes.h>
// inc/npp_sizes.h
constexpr int size_c = 1;
// main.cu
#include <cuda/sizes.h>
#include <cublas_wrapper.h>
#include "beside/nccl_free_reduce.h"
int main() { return size_a + size_b + size_c - 3; }
""")
    assert folder.run("cuda-on-cpu -Iinc main.cu && ./a.out") == (0, "")


def test_a_library_that_is_only_named_and_marks_for_a_profiler_change_nothing(folder):
    folder.write("""
// a.cu
#include <nvtx3/nvToolsExt.h>
int main() {
    nvtxEventAttributes_t event = {};
    event.message.ascii = "copy";
    nvtxRangePushEx(&event);
    nvtxRangePop();
    nvtxRangePush("setup");
    return nvtxRangePop() == 0;
}
// b.c
#include "nvToolsExt.h"
void mark(void) { nvtxMarkA("end"); }
""")
    libraries = "-lcublas -lcurand -lcuda -lnvToolsExt"
    assert folder.run(f"cuda-on-cpu -Xcompiler -Wall,-Wextra a.cu b.c {libraries} && ./a.out") == (0, "")


@pytest.mark.skipif("clang" in os.environ.get("CXX", ""), reason="left out: with g++ only")
def test_a_kernel_that_takes_a_reference_is_one_line(folder):
    folder.write("""
// a.cu
__global__ void add(int& value) { value++; }
void f(int* managed) { add<<<1, 1>>>(*managed); }
""")
    said = "a.cu:2:53: error: a kernel takes no references: they would be addresses of the host\n"
    assert folder.run("cuda-on-cpu -c a.cu") == (1, said)


def test_after_the_error_of_a_missing_library_nothing_else_is_printed(folder):
    folder.write("""
// random.cuh
#include <curand_kernel.h>
inline curandState state;
// fft.cu
#include <cufft.h>
#include "random.cuh"
int main() {
    int lost;
    cufftHandle handle;
    return cufftPlan1d(&handle, 8, CUFFT_C2C, 1) + missing;
}
""")
    code, said = folder.run("cuda-on-cpu -Wall fft.cu")
    assert code == 1
    said = said.replace("./random", "random").replace("#error ", "")  # g++ and clang++ differ
    assert said == "".join(
        f'{place}: error: "CUDA on the CPU does not have {library}): see cuda_on_cpu/README.md, or compile with nvcc."\n'
        for place, library in (("fft.cu:1:2", "cuFFT (cufft.h"), ("random.cuh:1:2", "cuRAND (curand_kernel.h"))
    )


def test_c_is_compiled_as_c_and_calls_the_runtime(folder):
    folder.write("""
// run.h
#ifdef __cplusplus
extern "C"
#endif
int run(float* d_out, dim3 grid);
// run.cu
#include "run.h"
__global__ void fill(float* out) { out[blockIdx.x] = blockIdx.x; }
int run(float* d_out, dim3 grid) { fill<<<grid, 1>>>(d_out); return cudaGetLastError(); }
// main.c
#include <cuda_runtime_api.h>
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
    printf("%s %g %g\\n", cudaGetErrorName(error), class[3], four.w);
    return cudaFree(new);
}
// old.c
int cudaThreadSynchronize(void);
int main(void) { return cudaThreadSynchronize(); }
// cpp.c
int main() { auto f = [] { return 0; }; return f(); }
""")
    assert folder.run("cuda-on-cpu -std=c++17 -Wall -Wextra main.c run.cu && ./a.out") == (0, "cudaSuccess 3 4\n")
    assert folder.run("cc -c old.c && cuda-on-cpu old.o && ./a.out") == (0, "")
    assert folder.run("cuda-on-cpu cpp.c")[0] == 1
    assert folder.run("cuda-on-cpu -x c++ cpp.c && ./a.out")[0] == 0


def test_an_archive_is_linked_after_the_objects_wherever_it_is_named(folder):
    folder.write("""
// twice.cu
__global__ void k() {}
int twice(int a) { k<<<1, 1>>>(); cudaDeviceSynchronize(); return 2 * a; }
// main.cu
int twice(int);
int main() { return twice(2) - 4; }
""")
    folder.run("cuda-on-cpu -c twice.cu && ar rcs libtwice.a twice.o && cuda-on-cpu -c main.cu")
    for order in ("main.o libtwice.a", "libtwice.a main.o", "main.o -L. -ltwice", "libtwice.a main.cu"):
        assert folder.run(f"cuda-on-cpu {order} && ./a.out") == (0, "")


def test_a_header_is_translated_for_each_cuda_source_and_left_alone_for_c(folder):
    folder.write("""
// shared.h
#ifdef __cplusplus
__global__ void k() {}
inline void run() { k<<<1, 1>>>(); }
#else
int cuda = 1 <<1, left = 3;
#endif
// a.cu
#include "shared.h"
int main() { run(); return cudaDeviceSynchronize(); }
// b.c
#include "shared.h"
""")
    assert folder.run("cuda-on-cpu a.cu b.c && ./a.out", DEPENDENCIES_OUTPUT="read.txt") == (0, "")
    assert len({line for line in folder.read("read.txt").splitlines() if "/shared.h" in line}) == 2


@pytest.mark.parametrize("option", ["-I", "-isystem "])
def test_a_folder_with_cuda_s_own_headers_is_left_out(folder, option):
    folder.write("""
// cuda/include/cuda_runtime.h
#error this is the installed CUDA
""")
    folder.write(NOTHING)
    assert folder.run(f"cuda-on-cpu {option}cuda/include nothing.cu && ./a.out") == (0, "")


@pytest.mark.parametrize(
    "limit, why",
    [
        ("TMPDIR=/nowhere", "no folder can be made in /nowhere: set TMPDIR to another"),
        ("mount -t tmpfs -o noexec none x && TMPDIR=x", "no program can be run in x: set TMPDIR to another folder"),
        ("ulimit -f 9;", "no room in /tmp, or a limit of file sizes (ulimit -f): set TMPDIR to another folder"),
        ("ulimit -t 1;", 'the program did not come to its end: a signal, "Killed". Is there a limit of time'),
    ],
)
def test_a_program_that_could_not_run_is_an_error(folder, limit, why):
    folder.write(NOTHING + "// long.cpp\nint main() { for (volatile long i = 0; i < 10000000000; ++i) {} }\n")
    folder.run("cuda-on-cpu check nothing.cu")  # compiles the emulator
    if "mount" in limit and folder.run("mkdir x && unshare -rm mount -t tmpfs none x")[0] != 0:
        pytest.skip("left out: nothing can be mounted here")
    as_root = "unshare -rm" if "mount" in limit else ""
    code, said = folder.run(f"{as_root} bash -c '{limit} cuda-on-cpu check long.cpp'", TMPDIR="/tmp")
    assert code == 1, said
    assert why in said and "nothing found" not in said


def test_check_leaves_the_input_that_the_program_does_not_read(folder):
    sums = 'int main() { int a = 0, b = 0; std::scanf("%d%d", &a, &b); std::printf("%d", a + b); return a + b != 5; }\n'
    folder.write(NOTHING + "// list\n1\n2\n// sum.cu\n#include <cstdio>\n" + sums)
    loop = "while read n; do cuda-on-cpu check nothing.cu > /dev/null 2>&1; echo $n; done"
    for given in ("< list", "< <(cat list)"):
        assert folder.run(f"{loop} {given}") == (0, "1\n2\n")
    for given in ("2\n3\n", "2\n" + 10**5 * " " + "3\n"):
        (folder.path / "numbers").write_text(given)
        for source in ("< numbers", "< <(cat numbers)"):
            code, said = folder.run(f"cuda-on-cpu check sum.cu {source}")
            assert "nothing found" in said and said.endswith("ends with:\n5\n"), (source, said)
    open_pipe = "mkfifo pipe; exec 3<> pipe; printf '2 3 4' >&3;"
    assert folder.run(f"{open_pipe} timeout 60 cuda-on-cpu check nothing.cu <&3")[0] == 0


def test_check_says_that_another_new_hides_the_host_s_memory(folder):
    own = "void* operator new(std::size_t n) { return std::malloc(n); }\n"
    folder.write(NOTHING + "// mine.cpp\n#include <cstdlib>\n" + own)
    folder.run("g++ -shared -fPIC mine.cpp -o libmine.so")
    code, said = folder.run("cuda-on-cpu check -L. -lmine -Wl,--no-as-needed,-rpath,. nothing.cu")
    assert code == 0 and "The host's memory is not known, as new is that of libmine.so" in " ".join(said.split()), said


def test_the_header_of_check_s_calls_gives_no_warning(folder):
    folder.write("// a.cpp\n#include <cstdio>\n")
    flags = f"-std=c++20 -Wall -DCUDA_ON_CPU_CHECKED -I{EMULATOR}/include -include checked_calls.hpp"
    assert folder.run(f"g++ {flags} -c a.cpp") == (0, "")


def test_check_says_that_a_sanitizer_cannot_start(folder):
    folder.write(NOTHING)
    preloaded = "LD_PRELOAD=$(ldconfig -p | sed -n 's/.*=> //; /libm.so.6$/{p;q}')"
    code, said = folder.run(f"{preloaded} cuda-on-cpu check -Xcompiler -fsanitize=undefined,address nothing.cu")
    assert code == 1 and "nothing found" not in said, said


@pytest.mark.parametrize("variable", ["CPATH", "CPLUS_INCLUDE_PATH"])
def test_a_folder_with_cuda_s_own_headers_in_the_environment_is_left_out(folder, variable):
    folder.write("// cuda/include/cuda_runtime.h\n#error this is the installed CUDA\n// mine/mine.h\nint mine;\n")
    folder.write('// uses.cu\n#include <cuda_fp16.h>\n#include "mine.h"\nint main() { return mine; }\n')
    (folder.path / "cuda/include/cuda_fp16.h").write_text("#error this, too\n")
    assert folder.run("cuda-on-cpu uses.cu && ./a.out", **{variable: "cuda/include:mine"}) == (0, "")


def test_an_unset_variable_is_named_also_if_a_header_of_the_emulator_uses_it(folder):
    folder.write("""
// dot.cu
__global__ void dot(const int* a, int* out) {
    int sum;
    for (int i = threadIdx.x; i < 8; i += blockDim.x) sum += a[i] * a[i];
    atomicAdd(out, sum);
}
int main() {
    int* a;
    cudaMallocManaged(&a, 9 * sizeof(int));
    dot<<<1, 1>>>(a, a + 8);
    cudaDeviceSynchronize();
    cudaFree(a);
}
""")
    said = " ".join(folder.run("cuda-on-cpu check dot.cu")[1].split())
    # The line that reads it, or, of g++ 12, its declaration.
    assert re.search(r"he compiler says of dot.cu:[23]: 'sum' ", said) and "declared here" not in said


def test_the_compiler_says_itself_whether_it_is_clang(folder):
    folder.write("// c++\n#!/bin/sh\necho Debian clang version 19\n")
    assert folder.run("chmod +x c++; is_clang ./c++ && ! is_clang env g++") == (0, "")


@pytest.mark.long  # compiles the emulator for this compiler
@pytest.mark.skipif(not shutil.which("ccache"), reason="left out: there is no ccache")
def test_a_compiler_of_several_words(folder):
    folder.write(NOTHING)
    assert folder.run("cuda-on-cpu nothing.cu && ./a.out", CXX="ccache g++")[0] == 0
    assert "1 mistake" not in folder.run("cuda-on-cpu check nothing.cu", CXX="ccache g++")[1]


@pytest.mark.long
def test_a_compiled_emulator_runs_from_a_read_only_folder(folder):
    # Root can write everywhere, so the test runs as another user, who cannot come into pytest's folders.
    user = "setpriv --reuid=65534 --clear-groups " if os.geteuid() == 0 else ""
    with tempfile.TemporaryDirectory() as path:
        folder.path = Path(path)
        folder.write(NOTHING)
        copy = folder.path / "it's all"
        shutil.copytree(TESTS.parent, copy, ignore=shutil.ignore_patterns("tests", "precompiled", "*.o"))
        done = folder.run(
            'mkdir out && chmod 777 out && chmod 755 . && chmod -R a-w "it\'s all" && touch now && sleep 0.1 && '
            f'{user}"it\'s all/cuda-on-cpu" nothing.cu -o out/x && out/x; code=$?; find "it\'s all" -newer now; '
            'chmod -R u+w "it\'s all"; exit $code'
        )
    assert done == (0, "")


def test_a_thread_that_asks_for_its_last_error_has_not_checked_another_thread_s(folder):
    folder.write("""
// x.cu
#include <thread>
int main(int count, char**) {
    cudaSetDevice(99);
    std::thread([] { cudaGetLastError(); }).join();
    if (count > 1) cudaGetLastError();
}
""")
    _, said = folder.run("cuda-on-cpu -std=c++20 x.cu && ./a.out")
    assert "cudaSetDevice at x.cu:3 returned cudaErrorInvalidDevice" in said
    assert folder.run("./a.out 1") == (0, "")


def test_a_program_without_cuda_s_syntax_hears_of_its_fault(folder):
    folder.write("""
// prog.cpp
#include <cuda_runtime.h>
int main() {
    int* d_in = nullptr;
    if (cudaMalloc(&d_in, sizeof(int)) != cudaSuccess) return 1;
    *d_in = 1;
    return 0;
}
""")
    code, output = folder.run("cuda-on-cpu prog.cpp && ./a.out")
    assert code != 0
    assert "CUDA on the CPU: the host writes byte 0 of device memory of 4 bytes on device 0, at prog.cpp:5." in output
