// SPDX-License-Identifier: MIT
// How translate rewrites CUDA source, and its error messages.
#include "../translate/translate.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "catch.hpp"

using cuda_on_cpu::translate;

namespace {

struct Row {
    const char *cuda, *cpp;
};

void check(const Row& row) {
    INFO(row.cuda);
    const std::string result = translate(row.cuda, "lab.cu");
    CHECK(result == row.cpp);
    CHECK(std::count(result.begin(), result.end(), '\n') ==
          std::count_if(row.cuda, row.cuda + std::string(row.cuda).size(),
                        [](char c) { return c == '\n'; }));
}

std::string error_of(const char* cuda) {
    try {
        return "no error: " + translate(cuda, "lab.cu");
    } catch (const cuda_on_cpu::TranslationError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a launch becomes a call, in whatever form the kernel is written") {
    const Row rows[] = {
        {"k<<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(k)(1, 2)();"},
        {"k<<<g, b, 4, s>>>(x, y);", "CUDA_ON_CPU_LAUNCH(k)(g, b, 4, s)(x, y);"},
        {"k<T, 3><<<1, 2>>>(x);", "CUDA_ON_CPU_LAUNCH(k<T, 3>)(1, 2)(x);"},
        {"k<(a > b)><<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(k<(a > b)>)(1, 2)();"},
        {"k<v<w<T>>><<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(k<v<w<T>>>)(1, 2)();"},
        {"k<1 << 3><<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(k<1 << 3>)(1, 2)();"},
        {"a::b<T>::k<U><<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(a::b<T>::k<U>)(1, 2)();"},
        {"else ::a::k<<<1, 2>>>();", "else CUDA_ON_CPU_LAUNCH(::a::k)(1, 2)();"},
        {"return k<<<1, 2>>>();", "return CUDA_ON_CPU_LAUNCH(k)(1, 2)();"},
        {"if (x) k<<<1, 2>>>();", "if (x) CUDA_ON_CPU_LAUNCH(k)(1, 2)();"},
        {"if (x) (k)<<<1, 2>>>();", "if (x) CUDA_ON_CPU_LAUNCH((k))(1, 2)();"},
        {"if constexpr (x) (*k)<<<1, 2>>>();",
         "if constexpr (x) CUDA_ON_CPU_LAUNCH((*k))(1, 2)();"},
        {"kernels[i][j]<<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(kernels[i][j])(1, 2)();"},
        {"this->k_<<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(this->k_)(1, 2)();"},
        {"a.b->k<<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(a.b->k)(1, 2)();"},
        {"a.template k<T><<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(a.template k<T>)(1, 2)();"},
        {"pick<T>(x)(y)<<<1, 2>>>();", "CUDA_ON_CPU_LAUNCH(pick<T>(x)(y))(1, 2)();"},
        {"x ? a<<<1, 2>>>() : b<<<1, 2>>>();",
         "x ? CUDA_ON_CPU_LAUNCH(a)(1, 2)() : CUDA_ON_CPU_LAUNCH(b)(1, 2)();"},
        {"[]<class T>(T x) { k<T><<<1, 2>>>(x); }",
         "[]<class T>(T x) { CUDA_ON_CPU_LAUNCH(k<T>)(1, 2)(x); }"},
        {"k<T> << <1, 2 >> >(x);", "CUDA_ON_CPU_LAUNCH(k<T>  )(1, 2 ) (x);"},
        {"f<< <(4, 8), n >> > (a);", "CUDA_ON_CPU_LAUNCH(f )((4, 8), n )  (a);"},
        {"#define RUN(k, ...) k<<<__VA_ARGS__>>>",
         "#define RUN(k, ...) CUDA_ON_CPU_LAUNCH(k)(__VA_ARGS__)"},
    };
    for (const Row& row : rows) check(row);
}

TEST_CASE("the configuration and the arguments may be anything") {
    const Row rows[] = {
        {"k<<<dim3(1, 2), {3, 4}>>>(f(x, {1}), [&] { g(); });",
         "CUDA_ON_CPU_LAUNCH(k)(dim3(1, 2), {3, 4})(f(x, {1}), [&] { g(); });"},
        {"k<<<n >> 3, 1 << 2>>>(x >> 1);", "CUDA_ON_CPU_LAUNCH(k)(n >> 3, 1 << 2)(x >> 1);"},
        {"k<<<1, size<T>>>>();", "CUDA_ON_CPU_LAUNCH(k)(1, size<T>)();"},
        {"k<<<1, (a>>>b)>>>();", "CUDA_ON_CPU_LAUNCH(k)(1, (a>>>b))();"},
        {"k  // why\n    <<<1,  // one\n       2>>>\n    (x,\n     y);",
         "CUDA_ON_CPU_LAUNCH(k  // why\n    )(1,  // one\n       2)\n    (x,\n     y);"},
        {"k<<<1, 2>>>([&] { inner<<<3, 4>>>(); });",
         "CUDA_ON_CPU_LAUNCH(k)(1, 2)([&] { CUDA_ON_CPU_LAUNCH(inner)(3, 4)(); });"},
    };
    for (const Row& row : rows) check(row);
}

TEST_CASE("comments, strings and shifts stay as they are") {
    for (const char* const text :
         {"// k<<<1, 2>>>()\nint x;", "// \\\nk<<<1, 2>>>()\nint x;", "/* k<<<1, 2>>>()\n */",
          "f(\"k<<<1, 2>>>()\");", "f(\"\\\"k<<<1, 2>>>()\");", "f(R\"(\"k<<<1, 2>>>())\");",
          "f(u8R\"x()\" k<<<1, 2>>>() )x\");", "x = '\"'; // <<<", "x = 1'000 + 0x1'0p-3; // '<<<",
          "std::cout << a << 1 >> 3;", "a<b<c>> x; y = a >> b;", "__shared__ float s[3];",
          "extern int x; __shared__ float s[3];", ""})
        check({text, text});
    check({"#if 0\ndon't\n#endif\nk<<<1, 2>>>();",
           "#if 0\ndon't\n#endif\nCUDA_ON_CPU_LAUNCH(k)(1, 2)();"});
}

TEST_CASE("an element that an atomic function uses is one of the array's") {
    const Row rows[] = {
        {"atomicAdd(&s[f(i, 1)], 1);", "atomicAdd(CUDA_ON_CPU_ELEMENT(s, (f(i, 1))), 1);"},
        {"atomicMax(&t[y][x[i] + 1], 1);", "atomicMax(CUDA_ON_CPU_ELEMENT(t[y], (x[i] + 1)), 1);"},
        {"atomicAdd(&p->s[i], 1);", "atomicAdd(&p->s[i], 1);"},
        {"atomicAdd(&s[i].x, 1);", "atomicAdd(&s[i].x, 1);"},
        {"atomicAdd(s + i, 1); atomicAdd(&s, 1);", "atomicAdd(s + i, 1); atomicAdd(&s, 1);"},
    };
    for (const Row& row : rows) check(row);
}

TEST_CASE("extern __shared__ becomes a pointer") {
    const std::string unused = "__attribute__((unused))", from = " = ::cuda_on_cpu::dynamic_array";
    const std::string pointer = "void f() {  " + unused + " T * const s" + from + "; }";
    check({"void f() { extern __shared__ T s[]; }", pointer.c_str()});
    const std::string two = "void f() { " + unused + "  volatile a<int, 2> * const s" + from +
                            ", (* const t)[4]" + from + "; }";
    check({"void f() { __shared__ extern volatile a<int, 2> s[], t[][4]; }", two.c_str()});
    const std::string aligned =
        "void f() {  " + unused + " alignas(16) char * const s" + from + "; }";
    check({"void f() { extern __shared__ alignas(16) char s[]; }", aligned.c_str()});
    const std::string outside = "namespace {  " + unused + " int * const s" + from + "; }";
    check({"namespace { extern __shared__ int s[]; }", outside.c_str()});
}

TEST_CASE("CUDA's other headers become cuda_runtime.h, or an error message with their line") {
    check({"#include \"device_launch_parameters.h\"\n#  include <vector_types.h> // why\n",
           "#include <cuda_runtime.h>\n#  include <cuda_runtime.h> // why\n"});
    check({"#include <nvtx3/nvToolsExt.h>\n#include \"cublas_api.h\"\n",
           "#include <nvToolsExt.h>\n#include <cublas_v2.h>\n"});
    const std::string end = "): see cuda_on_cpu/README.md, or compile with nvcc.\"\n";
    const std::string missing =
        "#ifdef A\n#error \"CUDA on the CPU does not have floats of 8 bits (cuda_fp8.h" + end +
        "#error \"CUDA on the CPU does not have libcu++ (cuda/std/array" + end;
    check({"#ifdef A\n#include <cuda_fp8.h>\n#include <cuda/std/array>\n", missing.c_str()});
    for (const char* const text :
         {"#include <cuda_runtime.h>", "#include <vector>", "#include \"lab/vector_types.h\"",
          "// #include <cuda_fp8.h>", "#include", "#include <", "#include \""})
        check({text, text});
    const std::filesystem::path own =
        std::filesystem::temp_directory_path() / ("translate_test" + std::to_string(getpid()));
    std::filesystem::create_directories(own);
    std::ofstream(own / "vector_types.h") << "struct own {};\n";
    const std::string text = "#include \"vector_types.h\"\n";
    CHECK(translate(text, own / "lab.cu") == text);
    CHECK(translate(text, "lab.cu") != text);
    std::filesystem::remove_all(own);
}

TEST_CASE("__CUDA_ARCH__ is a number only in device code") {
    const Row rows[] = {
        {"__global__ void k() {\n#if __CUDA_ARCH__ >= 700\n#endif\n}",
         "__global__ void k() { CUDA_ON_CPU_KERNEL;\n#if 900 >= 700\n#endif\n}"},
        {"__device__ int f(int x) {\n#ifdef __CUDA_ARCH__\n#endif\n}",
         "__device__ int f(int x) {\n#if 900\n#endif\n}"},
        {"__device__ int f() {\n#if defined(__CUDA_ARCH__)\n#endif\n}",
         "__device__ int f() {\n#if (900)\n#endif\n}"},
        {"#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 600\n#endif",
         "#if !defined(__CUDA_ARCH__) || 900 < 600\n#endif"},
    };
    for (const Row& row : rows) check(row);
    for (const char* const text :
         {"__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n#endif\n}",
          "__device__ __host__ int f() {\n#if __CUDA_ARCH__\n#endif\n}",
          "__device__ int g();\nint f() {\n#ifdef __CUDA_ARCH__\n#endif\n}"})
        check({text, text});
    const std::string ptx = translate("__device__ void f() { asm(\"exit;\"); }", "lab.cu");
    CHECK(ptx.find("inline PTX") != std::string::npos);
    check(
        {"__device__ void f() { asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x[i]) :: "
         "\"memory\"); }",
         "__device__ void f() {    (x[i])  = ::cuda_on_cpu::ptx::laneid() ; }"});
    CHECK(translate("void f() { asm(\"nop\"); }", "lab.cu") == "void f() { asm(\"nop\"); }");
}

TEST_CASE("a kernel's first statement asks whether a launch has called it") {
    const Row rows[] = {
        {"template <class T> __global__ void __launch_bounds__(N)\nk(T* p)\n{\n#pragma unroll\n}",
         "template <class T> __global__ void __launch_bounds__(N)\nk(T* p)\n{ "
         "CUDA_ON_CPU_KERNEL;\n#pragma unroll\n}"},
        {"__global__ void k(F f = {}) { }", "__global__ void k(F f = {}) { CUDA_ON_CPU_KERNEL; }"},
    };
    for (const Row& row : rows) check(row);
    for (const char* const text :
         {"__global__ void k();\nvoid f() { }", "__global__ void k() BODY\n__device__ void f() { }",
          "#define KERNEL __global__ void\nKERNEL k() { }", "__device__ void f() { }"})
        check({text, text});
}

TEST_CASE("the cast of a kernel disappears, and __noinline__ becomes an attribute") {
    check({"cudaLaunchKernel((void*)k<T>, g, b, a);",
           "cudaLaunchKernel(CUDA_ON_CPU_PLACE(\"k<T>\"), k<T>, g, b, a);"});
    check({"cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(k), g);",
           "cudaLaunchCooperativeKernel(CUDA_ON_CPU_PLACE(\"k\"),  (k), g);"});
    check({"cudaLaunchKernel(k, g, b, a);",
           "cudaLaunchKernel(CUDA_ON_CPU_PLACE(\"k\"), k, g, b, a);"});
    check({"CHECK(cudaLaunchKernelEx(&config, k<f(1, 2), T>, x));",
           "CHECK(cudaLaunchKernelEx(CUDA_ON_CPU_PLACE(\"k<f(1, 2), T>\"), &config, "
           "k<f(1, 2), T>, x));"});
    check({"auto f = cudaLaunchKernelEx;", "auto f = cudaLaunchKernelEx;"});
    check({"__noinline__ void f();", "__attribute__((noinline)) void f();"});
    check({"__attribute__((__noinline__)) void f();", "__attribute__((__noinline__)) void f();"});
}

TEST_CASE("a program's own headers become their translations") {
    const std::filesystem::path own =
        std::filesystem::temp_directory_path() / ("headers_test" + std::to_string(getpid()));
    std::filesystem::create_directories(own / "include");
    std::ofstream(own / "beside.cuh") << "";
    std::ofstream(own / "include" / "searched.h") << "";
    std::ofstream(own / "include" / "cuda_fp8.h") << "";
    cuda_on_cpu::Headers headers{"/made", {own / "include"}, true, {}};
    CHECK(translate("#include \"beside.cuh\"\n#include <searched.h>\n#include <vector>\n",
                    own / "lab.cu", &headers) ==
          "#include \"/made" + (own / "beside.cuh").string() + "\"\n#include \"/made" +
              (own / "include" / "searched.h").string() + "\"\n#include <vector>\n");
    CHECK(headers.found.size() == 2);
    CHECK(translate("#include <cuda_fp8.h>\n", own / "lab.cu", &headers).find("#error") == 0);
    std::filesystem::remove_all(own);
}

TEST_CASE("without -rdc the device's variables and functions belong to their file") {
    const auto translated = [](const std::string& text) {
        cuda_on_cpu::Headers headers;
        return translate(text, "lab.cu", &headers);
    };
    const std::pair<std::string, std::string> rows[] = {
        {"__constant__ float c[3];", " CUDA_ON_CPU_VARIABLE(c, true, false);"},
        {"__device__ int x = 3;", " CUDA_ON_CPU_VARIABLE(x, false, true);"},
        {"__device__ __constant__ int y;", " CUDA_ON_CPU_VARIABLE(y, true, false);"},
        {"__device__ __align__(16) int z[4];", " CUDA_ON_CPU_VARIABLE(z, false, false);"},
        {"__device__ float f(float x) { }", ""},
        {"__device__ __forceinline__ ns::T f(int);", ""},
    };
    for (const auto& [text, mark] : rows) {
        const std::string expected = "static __attribute__((unused)) " + text + mark;
        CHECK(translated(text) == expected);
        CHECK(translated("#pragma once\n" + text) == "#pragma once\n" + expected);
        CHECK(translated("namespace a::b { " + text) == "namespace a::b { " + expected);
    }
    CHECK(
        translated("__device__ int *p, q[2];") ==
        "static __attribute__((unused)) __device__ int *p; CUDA_ON_CPU_VARIABLE(p, false, false); "
        "static __attribute__((unused)) __device__ int  q[2]; "
        "CUDA_ON_CPU_VARIABLE(q, false, false);");
    for (const std::string text :
         {"extern __device__ int x;", "__host__ __device__ int f();",
          "__device__ __host__ int f();", "__global__ void k();",
          "template <class T> __device__ T f(T);", "__device__ int A::f() { }",
          "struct A { __device__ int f(); };", "#define HD __device__ inline",
          "#define F(x) \\\n    __device__ x", "extern \"C\" __device__ int f();"})
        CHECK(translated(text) == text);
}

TEST_CASE("the emulator learns the names of the device's variables") {
    const Row rows[] = {
        {"static __constant__ int c;",
         "static __constant__ int c; CUDA_ON_CPU_VARIABLE(c, true, false);"},
        {"__device__ std::pair<int, int> a[2] = {{1, 2}, f(3, 4)}, b;\n",
         "__device__ std::pair<int, int> a[2] = {{1, 2}, f(3, 4)}; "
         "CUDA_ON_CPU_VARIABLE(a, false, true); __device__ std :: pair < int , int >  b; "
         "CUDA_ON_CPU_VARIABLE(b, false, false);\n"},
        {"const __device__ float *p{}, q[N][2];\n#define X",
         "const __device__ float *p{}; CUDA_ON_CPU_VARIABLE(p, false, true); "
         "const __device__ float  q[N][2]; CUDA_ON_CPU_VARIABLE(q, false, false);\n#define X"},
        {"__device__ float const a = 1, * const b = 0;",
         "__device__ float const a = 1; CUDA_ON_CPU_VARIABLE(a, false, true); "
         "__device__ float const  * const b = 0; CUDA_ON_CPU_VARIABLE(b, false, true);"},
    };
    for (const Row& row : rows) check(row);
    for (const char* const text :
         {"template <class T> __constant__ T c[9];", "__device__ __managed__ int x;",
          "auto f = [] __device__(int x) { return x; };", "void f() { __shared__ int s[4]; }",
          "struct A { __device__ int x; };", "#define V __device__ int x;", "__device__"})
        check({text, text});
}

TEST_CASE("what cannot be translated is an error with file and line") {
    CHECK(error_of("\n\n<<<1, 2>>>();") ==
          "lab.cu:3: error: expected the name of a kernel before '<<<'; put parentheses around "
          "it.");
    CHECK(error_of("x = 3<<<1, 2>>>();") ==
          "lab.cu:1: error: expected the name of a kernel before '<<<'; put parentheses around "
          "it.");
    CHECK(error_of("\nk<<<1, 2;\nk<<<1, 2>>>();") == "lab.cu:2: error: this '<<<' has no '>>>'.");
    CHECK(error_of("k<<<1, (2>>>();") == "lab.cu:1: error: this '<<<' has no '>>>'.");
    CHECK(error_of("k<<<1, 2>>>;") ==
          "lab.cu:1: error: expected the kernel's arguments, '(...)', behind '>>>'.");
    CHECK(error_of("<<<<<<< HEAD\n") ==
          "lab.cu:1: error: expected the name of a kernel before '<<<'; put parentheses around "
          "it.");
    for (const char* const text :
         {"void f() { extern __shared__ int s; }", "void f() { extern __shared__ int s[3]; }",
          "void f() { extern __shared__ int s[], t; }", "extern __shared__ int s"})
        CHECK(error_of(text) == "lab.cu:1: error: expected 'extern __shared__ TYPE NAME[];'.");
}
