// SPDX-License-Identifier: MIT
// Shifts by at least the number's width give a GPU's values; C++ leaves them undefined.
#include <utility>

#include "helpers.hpp"

#pragma GCC diagnostic ignored "-Wparentheses"  // the tests also shift by sums without parentheses

namespace {

using Number = long long;

struct Digits {
    unsigned low : 5, high : 20;
};
enum Power { one = 1, three = 3 };
struct Big {  // a type with a shift of the program
    int value;
    __host__ __device__ Big operator<<(int n) const { return {value << n}; }
    __host__ __device__ Big& operator<<=(int n) {
        value <<= n;
        return *this;
    }
};
template <int N>
struct Constant {
    int value = N;
};
template <class T>
__host__ __device__ T twice(T a, int n) {
    return a << n << n;
}

// w is 32, l is 64. Each line contains what is stored; `expected` contains the values.
template <int N>
__global__ void shift_far(Number* out, int w, Number l, const unsigned char* bytes) {
    const auto u = static_cast<unsigned>(w);
    *out++ = 1 << w;
    *out++ = (1 << w) - 1;
    *out++ = 0xabcdU >> w;
    *out++ = -5 >> w;
    *out++ = 1U << -w;
    *out++ = 5LL << w + w;
    *out++ = -5LL >> l;
    *out++ = ~0ULL >> u * 2;
    *out++ = bytes[0] << w;
    *out++ = one << three * w;
    *out++ = 0xffU >> u << 3;
    *out++ = static_cast<unsigned>(w) + static_cast<unsigned>(w) >> w;
    *out++ = [w](int x) { return x << w; }(3);
    *out++ = twice(3, w);
}
constexpr Number expected_far[] = {0, -1, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0};

__global__ void assign_far(Number* out, int w, Number l) {
    int a = 7;
    a <<= w;
    *out++ = a;
    unsigned b = 7;
    b >>= w & 63;
    *out++ = b;
    Number c[2] = {-7, 3};
    c[0] >>= l;
    *out++ = c[0];
    short d = 7;
    d <<= w > 3 ? w : 3;
    *out++ = d;
    Digits digits{3, 3};
    digits.low <<= w;
    *out++ = digits.low;
    int* const p = &a;
    *p = -3;
    if (w > 3) *p >>= w;
    *out++ = a;
    volatile int v = 3;
    v <<= w;
    *out++ = v;
}
constexpr Number expected_assigned[] = {0, 0, -1, 0, 0, -1, 0};

template <int N>
__global__ void shift_near(Number* out, int n, const unsigned char* bytes) {
    __shared__ int s_all[1 << N];
    s_all[(1 << N) - 1] = 5;
    const Constant<(64 >> N)> sixteen;
    const Constant<Constant<3>{}.value> nested;
    const Constant<int(sizeof(std::pair<int, std::pair<int, int>>)) / 3> closed_by_two;
    *out++ = s_all[(1 << N) - 1] << n;
    *out++ = sixteen.value + nested.value + closed_by_two.value;
    *out++ = -9 >> n;
    *out++ = bytes[0] << n + 1 << 2;
    *out++ = 1ULL << n * 20;
    *out++ = n < 9 >> 1 ? 1 : 0;
    Big big = Big{3} << n;
    big <<= n - 1;
    *out++ = big.value;
    Digits digits{3, 3};
    digits.high <<= digits.low;
    *out++ = digits.high;
    int place = 0, values[2] = {1, 1};
    values[place++] <<= n;
    *out++ = 10 * values[0] + place;
}
constexpr Number expected_near[] = {20, 23, -3, 32, 1LL << 40, 1, 24, 24, 41};

template <std::size_t count, class Launch>
void check_values(const Number (&expected)[count], Launch launch) {
    const FreshDevice fresh;
    DeviceBuffer<Number> d_out(count);
    DeviceBuffer<unsigned char> d_bytes(1);
    d_bytes.fill(1);
    launch(d_out.data(), d_bytes.data());
    Number out[count];
    d_out.download(out);
    for (std::size_t i = 0; i < count; ++i) {
        INFO("value " << i);
        CHECK(out[i] == expected[i]);
    }
}

}  // namespace

TEST_CASE("a shift by at least the number's width gives a GPU's result, and is reported") {
    check_values(expected_far, [](Number* out, const unsigned char* bytes) {
        shift_far<2><<<1, 1>>>(out, 32, 64LL, bytes);
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        CHECK(
            contains(cuda_on_cpu::last_report(), "shifts a number of 32 bits by 32 at " __FILE__));
    });
    check_values(expected_assigned,
                 [](Number* out, const unsigned char*) { assign_far<<<1, 1>>>(out, 32, 64LL); });
}

TEST_CASE("a shorter shift is not changed, and neither is what only looks like a shift") {
    check_values(expected_near, [](Number* out, const unsigned char* bytes) {
        shift_near<2><<<1, 1>>>(out, 2, bytes);
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        CHECK(!contains(cuda_on_cpu::last_report(), "shifts a number"));
    });
}
