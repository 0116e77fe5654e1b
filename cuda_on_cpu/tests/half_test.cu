// SPDX-License-Identifier: MIT
// half and bfloat16: their bits, their rounding, and arithmetic in kernels.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <bit>
#include <cmath>
#include <limits>

#include "helpers.hpp"

namespace {

__global__ void scalar_product(const half2* a, const half2* b, float* out) {
    half2 sum = __float2half2_rn(0.0F);
    for (int i = 0; i < 8; ++i) sum = __hfma2(a[i], b[i], sum);
    *out = __low2float(sum) + __high2float(sum);
}

__global__ void sum_of_warp(nv_bfloat162* values) {
    nv_bfloat162 sum = values[threadIdx.x];
    for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xffffffff, sum, i);
    nv_bfloat16 high = __shfl_sync(0xffffffff, __high2bfloat16(sum), 0);
    values[threadIdx.x] = {__low2bfloat16(sum), high};
}

// The bits of the nearest bfloat16: half a step is added, less a little where a tie goes down.
unsigned nearest(float value) {
    const auto bits = std::bit_cast<unsigned>(value);
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
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

TEST_CASE("a bfloat16 is the upper half of a float, rounded to nearest, ties to even") {
    int different = 0;
    for (unsigned upper = 0; upper < 0x10000; ++upper)
        for (unsigned lower : {0U, 1U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
            const auto value = std::bit_cast<float>(upper << 16 | lower);
            const unsigned bits = __bfloat16_as_ushort(__float2bfloat16(value));
            different += bits != (std::isnan(value) ? 0x7fff : nearest(value));
            if (lower == 0 && !std::isnan(value))
                different += float{__ushort_as_bfloat16(upper)} != value;
        }
    CHECK(different == 0);
    CHECK(__bfloat16_as_ushort(1.0F + 0x1p-8F) == 0x3f80);
    CHECK(__bfloat16_as_ushort(1.0F + 3 * 0x1p-8F) == 0x3f82);
    CHECK(__bfloat16_as_ushort(std::numeric_limits<float>::max()) == 0x7f80);
    CHECK(__hisnan(__ushort_as_bfloat16(0x7f81)));
    // A double is rounded once: not first to 1 + 2^-8, which is a tie.
    CHECK(__bfloat16_as_ushort(__double2bfloat16(1 + 0x1p-8 + 0x1p-40)) == 0x3f81);
}

TEST_CASE("arithmetic of bfloat16 is that of floats, rounded once") {
    int different = 0;
    for (unsigned a = 0x3001; a < 0x7f00; a += 211)  // products may be infinite, none is denormal
        for (unsigned b = 0xb007; b < 0xff00; b += 199) {
            const nv_bfloat16 x = __ushort_as_bfloat16(a), y = __ushort_as_bfloat16(b);
            different += __bfloat16_as_ushort(x + y) != nearest(float{x} + float{y});
            different += __bfloat16_as_ushort(__hsub(x, y)) != nearest(float{x} - float{y});
            different += __bfloat16_as_ushort(x * y) != nearest(float{x} * float{y});
            different += __bfloat16_as_ushort(__hdiv(x, y)) != nearest(float{x} / float{y});
            different += (x < y) != (float{x} < float{y});
        }
    CHECK(different == 0);
    // (1 + 2^-4)^2 lies between two neighbours, and what is added is beyond a double's last bit.
    const nv_bfloat16 x = 1 + 0x1p-4F, down = 1 + 0x1p-3F, up = 1 + 0x1p-3F + 0x1p-7F;
    CHECK(x * x == down);
    CHECK(__hfma(x, x, nv_bfloat16(0x1p-100F)) == up);
    CHECK(__hfma(x, x, nv_bfloat16(-0x1p-100F)) == down);
    CHECK(__hfma(x, -x, nv_bfloat16(-0x1p-100F)) == -up);
    CHECK(hsqrt(nv_bfloat16(2.0F)) == nv_bfloat16(1.4142135F));
    CHECK(__bfloat162int_rz(__hmax(nv_bfloat16(-2.5F), nv_bfloat16(2.5F))) == 2);
    CHECK(float{half(nv_bfloat16(0.5F))} == 0.5F);
}

TEST_CASE("lanes exchange bfloat16 and pairs of them") {
    DeviceBuffer<nv_bfloat162> d_values(32);
    nv_bfloat162 values[32];
    for (int i = 0; i < 32; ++i)
        values[i] = __floats2bfloat162_rn(static_cast<float>(i % 4), 0.25F);
    d_values.upload(values);
    sum_of_warp<<<1, 32>>>(d_values.data());
    d_values.download(values);
    CHECK(__low2float(values[0]) == 48.0F);
    CHECK(__high2float(values[31]) == 8.0F);
}
