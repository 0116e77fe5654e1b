// SPDX-License-Identifier: MIT
// Device functions: atomics, arithmetic with a named rounding, packed arithmetic, vector types.
#include <cmath>
#include <limits>
#include <vector>

#include "helpers.hpp"

namespace {

struct Counters {
    int sum, most, least, locks;
    unsigned usum, wrapped, bits;
    unsigned long long big;
    float fsum;
};

__global__ void count(Counters* c) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(&c->sum, i);
    atomicMax(&c->most, i * 7 % 101);
    atomicMin(&c->least, i * 7 % 101 - 50);
    atomicAdd(&c->usum, 1U);
    atomicInc(&c->wrapped, 9U);
    atomicOr(&c->bits, 1U << i % 32);
    atomicAdd(&c->big, 1ULL << 33);
    atomicAdd(&c->fsum, 0.5F);
    int seen = 0;  // a compare-and-swap loop
    for (int old; (old = atomicCAS(&c->locks, seen, seen + 2)) != seen;) seen = old;
}

// A line is reported once.
__global__ void convert(long long* out, int which, float f, double d) {
    if (which == 0) *out = static_cast<int>(f);
    if (which == 1) *out = static_cast<int>(f);
    if (which == 2) *out = static_cast<int>(f);
    if (which == 3) *out = static_cast<int>(d);
    if (which == 4) *out = static_cast<unsigned>(f);
    if (which == 5) *out = static_cast<unsigned>(d);
    if (which == 6) *out = static_cast<unsigned char>(f);
    if (which == 7) *out = static_cast<unsigned char>(f);
    if (which == 8) *out = static_cast<signed char>(f);
    if (which == 9) *out = static_cast<short>(f);
    if (which == 10) *out = static_cast<long long>(f);
    if (which == 11) *out = static_cast<long long>(static_cast<unsigned long long>(d));
}
/// What a GPU gives, as the report says; "" if there is no report.
std::string gpu_value_of(int which, double value) {
    cuda_on_cpu::clear_report();
    DeviceBuffer<long long> d_out(1);
    convert<<<1, 1>>>(d_out.data(), which, static_cast<float>(value), value);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    const std::string report = cuda_on_cpu::last_report();
    const auto begin = report.find("A GPU gives "), end = report.find('.', begin + 1);
    return begin == std::string::npos ? "" : report.substr(begin + 12, end - begin - 12);
}

__global__ void exchange(int* value, int* seen) {
    seen[threadIdx.x] = atomicExch(value, static_cast<int>(threadIdx.x));
}

__global__ void read_registers(unsigned* out) {
    unsigned lane, warp, before;
    unsigned long long time = 0;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
    out[threadIdx.x + blockDim.x * threadIdx.y] =
        time > 0 ? 1000 * warp + lane + 10000 * __popc(before) : 0;
}

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("atomics add up over blocks and threads, in every order") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        DeviceBuffer<Counters> d_counters(1);
        Counters c{};
        d_counters.upload(&c);
        count<<<10, 100>>>(d_counters.data());
        d_counters.download(&c);
        CHECK(c.sum == 499500);
        CHECK(c.most == 100);
        CHECK(c.least == -50);
        CHECK(c.usum == 1000);
        CHECK(c.wrapped == 0);
        CHECK(c.bits == 0xffffffffU);
        CHECK(c.big == 1000ULL << 33);
        CHECK(c.fsum == 500.0F);
        CHECK(c.locks == 2000);
    }
}

TEST_CASE("atomicExch passes a value on exactly once") {
    DeviceBuffer<int> d_value(1), d_seen(64);
    const int first = 64;
    std::vector<int> seen(64);
    int last = 0;
    d_value.upload(&first);
    exchange<<<1, 64>>>(d_value.data(), d_seen.data());
    d_seen.download(seen.data());
    d_value.download(&last);
    int sum = last;
    for (int value : seen) sum += value;
    CHECK(sum == 64 * 65 / 2);
}

TEST_CASE("conversions round and saturate as on a GPU") {
    CHECK(__float2int_rn(2.5F) == 2);
    CHECK(__float2int_rn(3.5F) == 4);
    CHECK(__float2int_rn(-2.5F) == -2);
    CHECK(__float2int_rd(-2.1F) == -3);
    CHECK(__float2int_ru(-2.9F) == -2);
    CHECK(__float2int_rz(-2.9F) == -2);
    CHECK(__float2int_rn(3e9F) == std::numeric_limits<int>::max());
    CHECK(__float2int_rn(-3e9F) == std::numeric_limits<int>::min());
    CHECK(__float2int_rn(not_a_number) == 0);
    CHECK(__float2uint_rn(-1.0F) == 0);
    CHECK(__float2uint_rn(5e9F) == 0xffffffffU);
    CHECK(__saturatef(not_a_number) == 0.0F);
    CHECK(__saturatef(-1.0F) == 0.0F);
    CHECK(__saturatef(0.25F) == 0.25F);
    CHECK(__saturatef(7.0F) == 1.0F);
    CHECK(__float_as_int(1.0F) == 0x3f800000);
    CHECK(__int_as_float(0x3f800000) == 1.0F);
}

TEST_CASE("a float outside its new type is reported with a GPU's result") {
    CHECK(gpu_value_of(0, 2e9).empty());
    CHECK(gpu_value_of(0, -2147483648.0).empty());
    CHECK(gpu_value_of(0, 2147483648.0) == "2147483647");
    CHECK(gpu_value_of(1, -3e9) == "-2147483648");
    CHECK(gpu_value_of(2, not_a_number) == "0");
    CHECK(gpu_value_of(3, not_a_number) == "-2147483648");
    CHECK(gpu_value_of(4, -0.5).empty());
    CHECK(gpu_value_of(4, -1) == "0");
    CHECK(gpu_value_of(5, 5e9) == "4294967295");
    CHECK(gpu_value_of(6, 300) == "44");
    CHECK(gpu_value_of(7, -8) == "0");
    CHECK(gpu_value_of(8, 200) == "-56");
    CHECK(gpu_value_of(9, 1e10) == "-1");
    CHECK(gpu_value_of(10, -1e30) == "-9223372036854775808");
    CHECK(gpu_value_of(11, 1e30) == "18446744073709551615");
}

TEST_CASE("__fmul_rn and __fadd_rn are never fused") {
    const float a = 1.0F + std::ldexp(1.0F, -12);  // a * a needs 25 bits
    const volatile float exact_product = a * a;
    CHECK(__fadd_rn(__fmul_rn(a, a), -exact_product) == 0.0F);
    CHECK(__fmaf_rn(a, a, -exact_product) == std::ldexp(1.0F, -24));
    CHECK(__fdiv_rn(1.0F, 3.0F) == 1.0F / 3.0F);
    CHECK(__fma_rn(1 + 0x1p-27, 1 + 0x1p-27, -1 - 0x1p-26) == 0x1p-54);
}

TEST_CASE("arithmetic with directed rounding encloses the result") {
    CHECK(__fadd_rd(1, 0x1p-30F) == 1);
    CHECK(__fadd_ru(1, 0x1p-30F) == 1 + 0x1p-23F);
    CHECK(__fadd_rz(-1, -0x1p-30F) == -1);
    CHECK(__ddiv_rd(1, 3) < __ddiv_ru(1, 3));
    CHECK(__dmul_rn(0.1, 10) == 1);
    CHECK(__dsqrt_ru(2) == std::nextafter(__dsqrt_rd(2), 2));
    CHECK(__ddiv_rz(-1, 3) == __ddiv_ru(-1, 3));
    volatile double third = 3;
    CHECK(1 / third == __ddiv_rn(1, 3));  // the rounding is as before
}

TEST_CASE("min and max mix types as CUDA does") {
    CHECK(min(3, -4) == -4);
    CHECK(min(-1, 5U) == 5U);  // int becomes unsigned
    CHECK(max(-1, 5U) == 0xffffffffU);
    CHECK(min(1.5F, not_a_number) == 1.5F);
    CHECK(max(2.0F, 3.0) == 3.0);
    CHECK(min(7LL, 1LL << 40) == 7);
    CHECK(max(-1LL, 5ULL) == ~0ULL);
}

TEST_CASE("mathematical functions that C++ lacks") {
    CHECK(fdivide(1.0, 3.0) == 1.0 / 3.0);  // not a float
    CHECK(norm3df(1, 2, 2) == 3);
    CHECK(std::fabs(rnorm4d(1, 1, 1, 1) - 0.5) < 1e-15);
    CHECK(rhypotf(3, 4) == 0.2F);
    CHECK(rcbrt(8.0) == 0.5);
    CHECK(normcdf(0.0) == 0.5);
    CHECK(std::fabs(normcdff(-1.0F) - 0.158655254F) < 1e-7F);
    float sine = 0, cosine = 0;
    sincospif(0.5F, &sine, &cosine);
    CHECK(sine == 1);
    CHECK(cosine == 0);
    CHECK(sinpi(-1.5) == 1);
    CHECK(cospif(7) == -1);
    CHECK(std::fabs(sinpi(0.25) - std::sqrt(0.5)) < 1e-15);
    CHECK(__powf(3, 2) == 9);
    CHECK(std::isnan(__powf(-3, 2)));
    CHECK(__fdividef(1, 1.7e38F) == 0);
    CHECK(__fdividef(1, 4) == 0.25F);
    sincos(0.0F, &sine, &cosine);
    CHECK(cosine == 1);
}

TEST_CASE("integer and bit functions") {
    CHECK(__umulhi(0x80000000U, 6U) == 3);
    CHECK(__mulhi(-1, 1) == -1);
    CHECK(__usad(3U, 10U, 100U) == 107);
    CHECK(__popc(0xf0f0U) == 8);
    CHECK(__clz(1) == 31);
    CHECK(__clz(0) == 32);
    CHECK(__ffs(0) == 0);
    CHECK(__ffs(8) == 4);
    CHECK(__brev(1U) == 0x80000000U);
    CHECK(__funnelshift_l(0x80000000U, 1U, 1) == 3);
    CHECK(__funnelshift_r(0x2U, 1U, 1) == 0x80000001U);
    CHECK(__byte_perm(0x33221100U, 0x77665544U, 0x7250) == 0x77225500U);
    CHECK(__byte_perm(0x80U, 0U, 0x0008) == 0x808080ffU);
    CHECK(__dp4a(0x01020304, 0x01ff0201, 10) == 10 + 4 + 6 - 2 + 1);
    CHECK(__dp4a(0x01020304U, 0x01ff0201U, 10U) == 10 + 4 + 6 + 510 + 1);
    CHECK(__dp2a_lo(0x0003fffe, 0x7f7f05ff, 10) == 10 + 2 + 15);
    CHECK(__dp2a_hi(0x0003fffe, 0x05ff7f7f, 10) == 10 + 2 + 15);
    CHECK(__dp2a_lo(0x0003fffeU, 0x7f7f05ffU, 10U) == 10 + 0xfffe * 255 + 15);
    CHECK(__dp2a_hi(0xffffffffU, 0xffff0000U, 1U) == 1U + 2U * 65535U * 255U);
    CHECK(__dp4a(make_uchar4(1, 2, 3, 4), make_uchar4(5, 6, 7, 8), 0U) == 70);
}

TEST_CASE("products of 24 bits, atomics of the system, time that passes") {
    CHECK(__mul24(-3, 5) == -15);
    CHECK(__umul24(0x1000002, 3) == 6);
    int value = 5;
    CHECK(atomicAdd_system(&value, 2) == 5);
    CHECK(atomicCAS_block(&value, 7, 9) == 7);
    CHECK(value == 9);
    const long long begin = clock64();
    while (clock64() < begin + 1000) {
    }
    CHECK(clock64() > begin);
}

TEST_CASE("packed functions treat each lane separately") {
    CHECK(__vadd2(0x0001ffffU, 0x00010001U) == 0x00020000U);
    CHECK(__vadd4(0xff010203U, 0x01010101U) == 0x00020304U);
    CHECK(__vaddus2(0xfff0000fU, 0x00200001U) == 0xffff0010U);
    CHECK(__vaddus4(0xf0010203U, 0x20010101U) == 0xff020304U);
    CHECK(__vsubus4(0x05010203U, 0x06010101U) == 0x00000102U);
    CHECK(__vaddss2(0x7fff8000U, 0x0001ffffU) == 0x7fff8000U);
    CHECK(__vabsdiffu4(0x05000aff, 0x06010a00) == 0x010100ffU);
    CHECK(__vsadu4(0x05000affU, 0x06010a00U) == 257);
    CHECK(__vavgu4(0x01ff0002U, 0x02ff0001U) == 0x02ff0002U);
    CHECK(__vmaxu4(0x80017f00U, 0x7f028001U) == 0x80028001U);
    CHECK(__vmins2(0x8000ffffU, 0x00000000U) == 0x8000ffffU);
    CHECK(__vcmpgtu4(0x02010203U, 0x01010301U) == 0xff0000ffU);
    CHECK(__vcmpeq4(0x02010203U, 0x01010301U) == 0x00ff0000U);
}

TEST_CASE("vector types have CUDA's sizes and alignments") {
    CHECK((sizeof(uchar3) == 3 && alignof(uchar3) == 1));
    CHECK((sizeof(uchar4) == 4 && alignof(uchar4) == 4));
    CHECK((sizeof(short4) == 8 && alignof(short4) == 8));
    CHECK((sizeof(int2) == 8 && alignof(int2) == 8));
    CHECK((sizeof(float3) == 12 && alignof(float3) == 4));
    CHECK((sizeof(float4) == 16 && alignof(float4) == 16));
    CHECK((sizeof(double2) == 16 && alignof(double2) == 16));
    CHECK((sizeof(double4_16a) == 32 && alignof(double4_16a) == 16));
    CHECK((sizeof(longlong4_32a) == 32 && alignof(longlong4_32a) == 32));
    CHECK(make_ulong4_16a(1, 2, 3, 4).w == 4);
    CHECK(make_int4(1, 2, 3, 4).w == 4);
    CHECK(make_uchar4(1, 2, 3, 255).w == 255);
    CHECK(dim3(7).y == 1);
}

TEST_CASE("inline PTX reads the special registers") {
    DeviceBuffer<unsigned> d_out(80);
    std::vector<unsigned> out(80);
    read_registers<<<1, dim3(40, 2)>>>(d_out.data());
    d_out.download(out.data());
    for (unsigned i = 0; i < 80; ++i) CHECK(out[i] == i / 32 * 1000 + 10001 * (i % 32));
}
