// SPDX-License-Identifier: MIT
// half: its bits, its rounding, and arithmetic in kernels.
#include <cuda_fp16.h>

#include <cmath>
#include <limits>

#include "helpers.hpp"

namespace {

__global__ void scalar_product(const half2* a, const half2* b, float* out) {
    half2 sum = __float2half2_rn(0.0F);
    for (int i = 0; i < 8; ++i) sum = __hfma2(a[i], b[i], sum);
    *out = __low2float(sum) + __high2float(sum);
}

}  // namespace

TEST_CASE("every half is the nearest one to its own value") {
    int different = 0;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const half value = __ushort_as_half(static_cast<unsigned short>(bits));
        if (!__hisnan(value)) different += __half_as_ushort(__float2half(value)) != bits;
    }
    CHECK(different == 0);
    CHECK(float{__ushort_as_half(0x3c00)} == 1.0F);
    CHECK(float{__ushort_as_half(0x7bff)} == 65504.0F);
    CHECK(float{__ushort_as_half(0x0001)} == std::ldexp(1.0F, -24));
}

TEST_CASE("a half is rounded to nearest, ties to even") {
    CHECK(__half_as_ushort(1.0F + 0x1p-11F) == 0x3c00);
    CHECK(__half_as_ushort(1.0F + 3 * 0x1p-11F) == 0x3c02);
    CHECK(__half_as_ushort(65519.0F) == 0x7bff);
    CHECK(__half_as_ushort(65520.0F) == 0x7c00);
    CHECK(__half_as_ushort(-0x1p-25F) == 0x8000);
    CHECK(__half_as_ushort(std::numeric_limits<float>::quiet_NaN()) == 0x7fff);
    CHECK(__half_as_ushort(half(2048.0F) + half(1.0F)) == __half_as_ushort(2048.0F));
    CHECK(float{__hfma(half(3.0F), half(0.5F), half(-1.5F))} == 0.0F);
    CHECK(half(1.0F) / half(4.0F) == half(0.25F));
    CHECK(__hmax(half(1.0F), half(2.0F)) > hsqrt(half(2.0F)));
}

TEST_CASE("kernels compute with pairs of halves") {
    DeviceBuffer<half2> d_a(8);
    DeviceBuffer<float> d_out(1);
    half2 a[8];
    for (int i = 0; i < 8; ++i) a[i] = __floats2half2_rn(static_cast<float>(i), 0.5F);
    d_a.upload(a);
    scalar_product<<<1, 1>>>(d_a.data(), d_a.data(), d_out.data());
    float out = 0;
    d_out.download(&out);
    CHECK(out == 142.0F);
}
