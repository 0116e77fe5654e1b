// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The text that translate makes of CUDA source, and what it refuses.
#include "../translate/translate.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#define CATCH_CONFIG_MAIN  // main() of all the tests; version 3 has it in a library
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

std::string refusal(const char* cuda) {
    try {
        return "not refused: " + translate(cuda, "lab.cu");
    } catch (const cuda_on_cpu::TranslationError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a launch becomes a call, whatever the kernel is written like") {
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

TEST_CASE("CUDA's other headers become cuda_runtime.h, or a sentence at their line") {
    check({"#include \"device_launch_parameters.h\"\n#  include <vector_types.h> // why\n",
           "#include <cuda_runtime.h>\n#  include <cuda_runtime.h> // why\n"});
    const std::string end = "): see cuda_on_cpu/README.md, or compile with nvcc.\"\n";
    const std::string missing =
        "#ifdef A\n#error \"CUDA on the CPU does not have floats of 16 bits and less (cuda_fp16.h" +
        end + "#error \"CUDA on the CPU does not have libcu++ (cuda/std/array" + end +
        "#error \"CUDA on the CPU does not have the driver API (cuda.h" + end;
    check({"#ifdef A\n#include <cuda_fp16.h>\n#include <cuda/std/array>\n#include \"cuda.h\"\n",
           missing.c_str()});
    for (const char* const text :
         {"#include <cuda_runtime.h>", "#include <vector>", "#include \"lab/vector_types.h\"",
          "// #include <cuda.h>", "#include", "#include <", "#include \""})
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

TEST_CASE("what cannot be translated is refused with file and line") {
    CHECK(refusal("\n\n<<<1, 2>>>();") ==
          "lab.cu:3: error: expected the name of a kernel before '<<<'; put parentheses around "
          "it.");
    CHECK(refusal("x = 3<<<1, 2>>>();") ==
          "lab.cu:1: error: expected the name of a kernel before '<<<'; put parentheses around "
          "it.");
    CHECK(refusal("\nk<<<1, 2;\nk<<<1, 2>>>();") == "lab.cu:2: error: this '<<<' has no '>>>'.");
    CHECK(refusal("k<<<1, (2>>>();") == "lab.cu:1: error: this '<<<' has no '>>>'.");
    CHECK(refusal("k<<<1, 2>>>;") ==
          "lab.cu:1: error: expected the kernel's arguments, '(...)', behind '>>>'.");
    CHECK(refusal("<<<<<<< HEAD\n") ==
          "lab.cu:1: error: expected the name of a kernel before '<<<'; put parentheses around "
          "it.");
    for (const char* const text :
         {"void f() { extern __shared__ int s; }", "void f() { extern __shared__ int s[3]; }",
          "void f() { extern __shared__ int s[], t; }", "extern __shared__ int s"})
        CHECK(refusal(text) == "lab.cu:1: error: expected 'extern __shared__ TYPE NAME[];'.");
}
