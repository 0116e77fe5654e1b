// SPDX-License-Identifier: MIT
// kernel<<<grid, block>>>(arguments) and extern __shared__ arrays, each as students write them.
#include <string>

#include "launch_in_header.hpp"

namespace {

namespace kernels {
__global__ void store(int* out, int value) { out[0] = value; }
template <class T, int K>
__global__ void multiple(T* out, int value) {
    out[0] = static_cast<T>(K * value);
}
template <class T>
struct Group {
    static __global__ void store(T* out, int value) { out[0] = static_cast<T>(value); }
};
}  // namespace kernels

__global__ void overloaded(int* out, float) { out[0] = 1; }
__global__ void overloaded(int* out, int) { out[0] = 2; }

// Kernels and host functions with the same name.
__global__ void shared_name(int* out) { out[0] = 3; }
int shared_name() { return 8; }
[[maybe_unused]] void shared_name(int) {}
template <class T>
__global__ void shared_template(T* out) {
    out[0] = 4;
}
[[maybe_unused]] void shared_template() {}
__global__ void without_parameters() {}
void without_parameters(int* out) { shared_name<<<1, 1>>>(out); }

template <class T>
__global__ void deduced(const T* in, T* out, int n) {
    extern __shared__ unsigned char s_bytes[];
    s_bytes[n - 1] = 7;
    out[0] = in[0] + static_cast<T>(s_bytes[n - 1]);
}
template <class T, class U>
__global__ void partly_deduced(U* out, T value) {
    out[0] = static_cast<U>(value / 2);
}
__global__ void shape(unsigned* out) {
    if (threadIdx.x == 0 && threadIdx.y == 0 && blockIdx.x == 0 && blockIdx.y == 0)
        out[0] = gridDim.x * 1000 + gridDim.y * 100 + blockDim.x * 10 + blockDim.y;
}
__global__ void dynamic_bytes(int* out, int bytes) {
    extern __shared__ signed char s_fresh[];
    out[0] = s_fresh[0] + s_fresh[bytes - 1];
}

/// What the kernel writes into an int.
template <class Launch>
int result_of(Launch launch) {
    DeviceBuffer<int> d_out(1);
    launch(d_out.data());
    REQUIRE(cudaGetLastError() == cudaSuccess);
    int out = -1;
    d_out.download(&out);
    return out;
}

struct Lab {
    void (*kernel_)(int*, int) = kernels::store;
    void run(int* out) { kernel_<<<1, 1>>>(out, 21); }
    void run_this(int* out) const { this->kernel_<<<1, 1>>>(out, 22); }
    template <class T>
    void run_template(T* out) {
        const auto body = [this, out]<class U>(U value) { kernel_<<<1, 1>>>(out, value + 1); };
        body(22);
    }
};

#define RUN(kernel, ...) kernel<<<__VA_ARGS__>>>

}  // namespace

TEST_CASE("a kernel can be named in every way") {
    using kernels::multiple;
    void (*const table[])(int*, int) = {kernels::store, multiple<int, 2>};
    void (*pointer)(int*, int) = multiple<int, 4>;
    Lab lab, *lab_pointer = &lab;
    CHECK(result_of([](int* out) { kernels::store<<<1, 1>>>(out, 5); }) == 5);
    CHECK(result_of([](int* out) { ::kernels::store<<<1, 1>>>(out, 6); }) == 6);
    CHECK(result_of([](int* out) { multiple<int, (3 > 2)><<<1, 1>>>(out, 7); }) == 7);
    CHECK(result_of([](int* out) { kernels::Group<int>::store<<<1, 1>>>(out, 8); }) == 8);
    CHECK(result_of([&](int* out) { pointer<<<1, 1>>>(out, 2); }) == 8);
    CHECK(result_of([&](int* out) { table[1]<<<1, 1>>>(out, 5); }) == 10);
    CHECK(result_of([&](int* out) { (*table)<<<1, 1>>>(out, 11); }) == 11);
    CHECK(result_of([&](int* out) { (out == nullptr ? pointer : table[0])<<<1, 1>>>(out, 12); }) ==
          12);
    CHECK(result_of([&](int* out) { lab.run(out); }) == 21);
    CHECK(result_of([&](int* out) { lab.run_this(out); }) == 22);
    CHECK(result_of([&](int* out) { lab.run_template(out); }) == 23);
    CHECK(result_of([&](int* out) { lab_pointer->kernel_<<<1, 1>>>(out, 24); }) == 24);
    CHECK(result_of([](int* out) { RUN(kernels::store, 1, 1)(out, 25); }) == 25);
    const auto generic = []<class T>(T* out) { multiple<T, 3><<<1, 1>>>(out, 9); };
    CHECK(result_of(generic) == 27);
    CHECK(first_value(multiple<short, 3>, 1, 10) == 30);
}

TEST_CASE("template arguments and overloads follow from the arguments") {
    CHECK(result_of([](int* out) { overloaded<<<1, 1>>>(out, 3.0F); }) == 1);
    CHECK(result_of([](int* out) { overloaded<<<1, 1>>>(out, 3); }) == 2);
    CHECK(result_of([](int* out) { shared_name<<<1, 1>>>(out); }) == 3);
    CHECK(result_of([](int* out) { shared_template<<<1, 1>>>(out); }) == 4);
    CHECK(result_of([](int* out) {
              without_parameters<<<1, 1>>>();
              without_parameters(out);
          }) == 3);
    CHECK(shared_name() == 8);
    CHECK(result_of([](int* out) { partly_deduced<float><<<1, 1>>>(out, 9); }) == 4);
    CHECK(result_of([](int* out) { partly_deduced<<<1, 1>>>(out, 9.0); }) == 4);
    DeviceBuffer<int> d_in(1);
    const int one = 1;
    d_in.upload(&one);
    CHECK(result_of([&](int* out) { deduced<<<1, 1, 8>>>(d_in.data(), out, 8); }) == 8);
    CHECK(result_of([&](int* out) { deduced<<<1, 1, 8>>>(d_in.data(), out, 8L); }) == 8);
}

TEST_CASE("a launch has 2, 3 or 4 configuration arguments, of any form") {
    const auto run = [](auto launch) {
        DeviceBuffer<unsigned> d_out(1);
        launch(d_out.data());
        unsigned out = 0;
        d_out.download(&out);
        return out;
    };
    CHECK(run([](unsigned* out) { shape<<<1, 2>>>(out); }) == 1121);
    CHECK(run([](unsigned* out) { shape<<<dim3(2, 3), dim3{4, 5}>>>(out); }) == 2345);
    CHECK(run([](unsigned* out) { shape<<<{2, 3}, {4, 5}>>>(out); }) == 2345);
    CHECK(run([](unsigned* out) {
              const int n = 16;
              // clang-format off
              shape<<<n >> 3, 1 << 2>>>(out);
              // clang-format on
          }) == 2141);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(run([&](unsigned* out) {
              shape<<<1,  // a block
                      1,  /* a thread */
                      64, stream>>>(
                  // the result
                  out);
              CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
          }) == 1111);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(result_of([](int* out) { dynamic_bytes<<<1, 1, 100>>>(out, 100); }) ==
          -76);  // undefined.hpp
}

TEST_CASE("arguments are evaluated once, at the launch, and every thread gets its own copy") {
    int calls = 0;
    const auto counted = [&] { return ++calls; };
    CHECK(result_of([&](int* out) { kernels::store<<<1, 1>>>(out, counted()); }) == 1);
    CHECK(calls == 1);
    int value = 5;
    CHECK(result_of([&](int* out) {
              kernels::store<<<1, 1>>>(out, value);
              value = 6;  // too late: the launch has taken it
          }) == 5);
}

namespace {

template <class T>
__global__ void sums(T* out, int n) {
    extern __shared__ T s_values[];
    extern __shared__ T s_pairs[][2];
    s_values[threadIdx.x] = static_cast<T>(threadIdx.x) / 2;
    __syncthreads();
    if (threadIdx.x > 0) return;
    T sum = 0;
    for (int i = 0; i < n / 2; ++i) sum += s_pairs[i][0] + s_pairs[i][1];
    out[0] = sum;
}
extern __shared__ int s_outside[];
__global__ void outside(int* out, int n) {
    s_outside[n - 1] = n;
    extern __shared__ __align__(16) unsigned char s_bytes[];
    out[0] = *reinterpret_cast<int*>(s_bytes + (n - 1) * sizeof(int));
}
[[maybe_unused]] __global__ void past_the_end(int n) {
    extern __shared__ double s_values[];
    s_values[n] = 1;
}

}  // namespace

TEST_CASE("extern __shared__ arrays have any name and type") {
    DeviceBuffer<float> d_float(1);
    sums<<<1, 8, 8 * sizeof(float)>>>(d_float.data(), 8);
    float sum = 0;
    d_float.download(&sum);
    CHECK(sum == 14);
    CHECK(result_of([](int* out) { sums<<<1, 8, 8 * sizeof(int)>>>(out, 8); }) == 12);
    CHECK(result_of([](int* out) { outside<<<1, 1, 12>>>(out, 3); }) == 3);
}

#ifdef BUILT_WITH_ASAN
TEST_CASE("ASan stops an access past an extern __shared__ array") {
    const auto run = [](int index) {
        return in_child([index] {
            past_the_end<<<1, 1, 3 * sizeof(double)>>>(index);
            cudaDeviceSynchronize();
        });
    };
    CHECK(run(2).clean());
    CHECK(contains(run(3).output, "AddressSanitizer"));
    CHECK(contains(run(3).output, "syntax_test.cu"));
}
#endif

TEST_CASE("a launch in a header is translated, and its report names the header's line") {
    const FreshDevice fresh;
    first_value(kernels::multiple<int, 2>, 2000, 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(contains(cuda_on_cpu::last_report(), "kernel kernel, launched at " +
                                                   place_of_the_launch_in_the_header +
                                                   ": a block of (2000,1,1) threads; allowed are"));
}

TEST_CASE("<<< >>> leaves its error for cudaGetLastError and prints what is wrong") {
    using cuda_on_cpu::Kind;
    const FreshDevice fresh;
    DeviceBuffer<int> d_out(1), d_in(1);
    const auto said = [](const char* part) {
        INFO(cuda_on_cpu::last_report());
        return contains(cuda_on_cpu::last_report(), part);
    };
    kernels::store<<<0, 1>>>(d_out.data(), 1);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
    CHECK(said("kernel kernels::store, launched at " __FILE__ ":"));
    CHECK(said(": a grid of (0,1,1) blocks; allowed are"));
    CHECK(is_told(Kind::grid_shape, "n / threads blocks are 0"));
    kernels::store<<<1, 1>>>(d_out.data(), 1);  // a successful launch does not hide it
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);

    kernels::store<<<1, 1, 0, reinterpret_cast<cudaStream_t>(0x123)>>>(d_out.data(), 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    CHECK(said("no such stream"));
    CHECK(is_told(Kind::no_stream, "cudaSetDevice of another device before the launch"));
    void (*const nothing)(int*, int) = nullptr;
    nothing<<<1, 1>>>(d_out.data(), 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
    CHECK(is_told(Kind::null_kernel));

    const int bytes = 60 * 1024;  // over 48 KiB; the limit also applies to the deduced kernel
    deduced<<<1, 1, bytes>>>(d_in.data(), d_out.data(), bytes);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(said("61440 bytes of dynamic shared memory; allowed are 49152"));
    CHECK(is_told(Kind::too_much_shared, "a missing cudaFuncSetAttribute"));
    CHECK(cudaFuncSetAttribute(deduced<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) ==
          cudaSuccess);
    deduced<<<1, 1, bytes>>>(d_in.data(), d_out.data(), bytes);
    CHECK(cudaGetLastError() == cudaSuccess);

    int on_host = 0;
    kernels::store<<<1, 1>>>(&on_host, 1);
    CHECK(cudaGetLastError() == cudaSuccess);  // the host has not waited yet
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(said(": argument 1 is a pointer, but not to device or pinned memory."));
    kernels::store<<<1, 1>>>(d_out.data(), 1);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaSuccess);  // until the next call
    kernels::store<<<1, 1>>>(d_out.data(), 1);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
}
