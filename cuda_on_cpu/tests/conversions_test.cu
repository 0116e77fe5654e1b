// SPDX-License-Identifier: MIT
// Conversions with a named rounding, 64-bit integer functions, and functions on the lanes of a
// word.
#include <cmath>
#include <limits>

#include "helpers.hpp"

TEST_CASE("conversions to 64 bits, to unsigned numbers and from them round as their names say") {
    CHECK(__double2ll_rn(-2.5) == -2);
    CHECK(__double2ll_rd(-2.5) == -3);
    CHECK(__float2ull_ru(2.5F) == 3);
    CHECK(__float2ll_rz(-2.5F) == -2);
    CHECK(__double2uint_rn(4294967294.5) == 4294967294U);
    CHECK(__double2ull_rz(1e300) == std::numeric_limits<unsigned long long>::max());
    CHECK(__float2ll_rn(-1e30F) == std::numeric_limits<long long>::min());
    CHECK(__double2ull_rn(-1) == 0);
    const float not_a_number = std::numeric_limits<float>::quiet_NaN();  // as on an H200
    CHECK(__float2int_rn(not_a_number) == 0);
    CHECK(__float2uint_rn(not_a_number) == 0);
    CHECK(__double2int_rn(not_a_number) == std::numeric_limits<int>::min());
    CHECK(__double2uint_rn(not_a_number) == 0x80000000U);
    CHECK(__float2ll_rn(not_a_number) == std::numeric_limits<long long>::min());
    CHECK(__double2ull_rn(not_a_number) == 1ULL << 63);
    const long long odd = (1LL << 53) + 1;  // between two doubles
    CHECK(__ll2double_rn(odd) == 0x1p53);
    CHECK(__ll2double_ru(odd) == 0x1p53 + 2);
    CHECK(__ll2double_rz(-odd) == -0x1p53);
    CHECK(__ll2double_rd(-odd) == -0x1p53 - 2);
    CHECK(__ull2double_rd(~0ULL) == 0x1p64 - 2048);
    CHECK(__ull2float_ru(~0ULL) == 0x1p64F);
    CHECK(__int2float_rd(16777217) == 16777216);
    CHECK(__int2float_ru(16777217) == 16777218);
    CHECK(__int2float_rz(-16777219) == -16777218);
    CHECK(__uint2float_rz(0xffffffffU) == 4294967040.0F);
    CHECK(__double2float_rd(1 + 0x1p-30) == 1);
    CHECK(__double2float_ru(1 + 0x1p-30) == 1 + 0x1p-23F);
    CHECK(__double2float_rz(1e300) == std::numeric_limits<float>::max());
    CHECK(__double2float_ru(-1e300) == -std::numeric_limits<float>::max());
    CHECK(__uint2double_rn(0xffffffffU) == 4294967295.0);
    for (const double value : {1.5, -0.0, 1e-310, -3e200}) {
        CHECK(__hiloint2double(__double2hiint(value), __double2loint(value)) == value);
        CHECK(std::signbit(__hiloint2double(__double2hiint(value), 0)) == std::signbit(value));
    }
    CHECK(__double2hiint(1.0) == 0x3ff00000);
    CHECK(__double2loint(1 + 0x1p-52) == 1);
}

TEST_CASE("fused multiply-add with each rounding") {
    CHECK(__fmaf_rd(1, 1, -0x1p-30F) == 1 - 0x1p-24F);
    CHECK(__fmaf_ru(1, 1, 0x1p-30F) == 1 + 0x1p-23F);
    CHECK(__fmaf_rz(-1, 1, -0x1p-30F) == -1);
    CHECK(__fma_rd(1, 1, -0x1p-60) == 1 - 0x1p-53);
    CHECK(__fma_ru(1, 1, 0x1p-60) == 1 + 0x1p-52);
    CHECK(__fma_rz(1, -1, -0x1p-60) == -1);
    CHECK(__fmaf_ieee_rn(1, 1, 0x1p-30F) == 1);
}

TEST_CASE("integers of 64 bits, means, and the n-th bit") {
    CHECK(__brevll(1) == 1ULL << 63);
    CHECK(__brevll(0x00000000f0000001ULL) == 0x8000000f00000000ULL);
    CHECK(__mul64hi(-1, 1) == -1);
    CHECK(__mul64hi(1LL << 62, 6) == 1);
    CHECK(__umul64hi(1ULL << 63, 6) == 3);
    CHECK(__hadd(-3, 0) == -2);
    CHECK(__rhadd(-3, 0) == -1);
    CHECK(__hadd(2147483647, 2147483645) == 2147483646);
    CHECK(__uhadd(0xffffffffU, 0xfffffffeU) == 0xfffffffeU);
    CHECK(__urhadd(0xffffffffU, 0xfffffffeU) == 0xffffffffU);
    CHECK(__funnelshift_lc(7, 1, 32) == 7);
    CHECK(__funnelshift_lc(0x80000000U, 1, 33) == 0x80000000U);
    CHECK(__funnelshift_rc(7, 1, 40) == 1);
    CHECK(__funnelshift_rc(2, 1, 1) == 0x80000001U);
    CHECK(__nv_bswap32(0x01020304) == 0x04030201);
    CHECK(__nv_bswap64(1) == 1ULL << 56);
    CHECK(__fns(0xf0, 0, 2) == 5);
    CHECK(__fns(0xf0, 6, -3) == 4);
    CHECK(__fns(0xf0, 4, 0) == 4);
    CHECK(__fns(0xf0, 3, 0) == 0xffffffffU);
    CHECK(__fns(0xf0, 8, 1) == 0xffffffffU);
    CHECK(llmax(-1, 3) == 3);
    CHECK(ullmin(~0ULL, 3) == 3);
}

TEST_CASE("signed lanes, sums of lanes, lanes that are compared") {
    CHECK(__vabs2(0x8000fffe) == 0x80000002U);
    CHECK(__vabsss2(0x8000fffe) == 0x7fff0002U);
    CHECK(__vneg4(0x80017f00) == 0x80ff8100U);
    CHECK(__vnegss4(0x80017f00) == 0x7fff8100U);
    CHECK(__vabsdiffs4(0x7f80ff01, 0x807f01ff) == 0xffff0202U);
    CHECK(__vsads2(0xffff0001, 0x00010003) == 4);
    CHECK(__vsadu2(0xffff0001, 0x00010003) == 0xfffe + 2);
    CHECK(__vavgs2(0x00020003, 0x00030003) == 0x00030003U);
    CHECK(__vavgs2(0xfffbfffc, 0x00020001) == 0xfffefffeU);  // as on an H200
    CHECK(__vcmplts4(0x80017f00, 0x7f01ff00) == 0xff000000U);
    CHECK(__vcmpltu4(0x80017f00, 0x7f01ff00) == 0x0000ff00U);
    CHECK(__vcmples2(0x80017f00, 0x80018000) == 0xffff0000U);
    CHECK(__vcmpges4(0x80017f00, 0x7f01ff00) == 0x00ffffffU);
    CHECK(__vseteq4(0x01020304, 0x01000300) == 0x01000100U);
    CHECK(__vsetgts2(0x0001ffff, 0x00000000) == 0x00010000U);
    CHECK(__vsetgtu2(0x0001ffff, 0x00000000) == 0x00010001U);
    const short2 halves{-2, 3};
    const char4 bytes{-1, 5, 1, 2};
    CHECK(__dp2a_lo(halves, bytes, 10) == 10 + 2 + 15);
    CHECK(__dp2a_hi(halves, bytes, 10) == 10 - 2 + 6);
    CHECK(__dp2a_hi(ushort2{1, 65535}, uchar4{0, 0, 255, 255}, 1U) == 1U + 255U + 65535U * 255U);
}

TEST_CASE("functions of dynamic programming") {
    const int most = std::numeric_limits<int>::max();
    CHECK(__viaddmax_s32(most, 1, 5) == 5);  // the sum wraps around
    CHECK(__viaddmin_s32_relu(-4, 1, 9) == 0);
    CHECK(__viaddmax_u32(3, 4, 5) == 7);
    CHECK(__vimax3_s32(-3, -2, -9) == -2);
    CHECK(__vimin3_s32_relu(3, -2, 9) == 0);
    CHECK(__vimax_s32_relu(-3, -2) == 0);
    CHECK(__viaddmax_s16x2(0x7fff0001, 0x00010001, 0xffff0000) == 0xffff0002U);
    CHECK(__viaddmin_u16x2(0xffff0001, 0x00010001, 0x00090001) == 0x00000001U);
    CHECK(__vimin3_s16x2_relu(0x80000005, 0x00010006, 0x00010007) == 0x00000005U);
    bool high = false, low = true;
    CHECK(__vibmax_s16x2(0x0001ffff, 0x00010000, &high, &low) == 0x00010000U);
    CHECK((high && !low));
    CHECK(__vibmin_u16x2(0x0001ffff, 0x00000000, &high, &low) == 0);
    CHECK((!high && !low));
    CHECK(__vibmin_s32(-1, 2, &low) == -1);
    CHECK(low);
}
