// SPDX-License-Identifier: MIT
// CUDA's functions of the lanes of one word: __vadd2, __vcmpgtu4, __vabsdiffs2 and the like, and
// those of dynamic programming, __viaddmax_s16x2 and the like.
#pragma once

#include <algorithm>
#include <type_traits>

#include "packed_intrinsics.hpp"

// name(a, b), the lanes' type, what is done to each pair of lanes
#define CUDA_ON_CPU_LANES(name, Lane, function)                                        \
    inline unsigned name(unsigned a, unsigned b) {                                     \
        return cuda_on_cpu::each_lane<cuda_on_cpu::Lane>(a, b, cuda_on_cpu::function); \
    }
#define CUDA_ON_CPU_SATURATE(name, Lane, function, low, high)                     \
    inline unsigned name(unsigned a, unsigned b) {                                \
        return cuda_on_cpu::each_lane<cuda_on_cpu::Lane>(a, b, [](int x, int y) { \
            return cuda_on_cpu::clamped<low, high>(cuda_on_cpu::function(x, y));  \
        });                                                                       \
    }
// __vcmp..: all bits of a lane for true; __vset..: 1
#define CUDA_ON_CPU_COMPARE(name, Lane, function)                                          \
    inline unsigned __vcmp##name(unsigned a, unsigned b) {                                 \
        return cuda_on_cpu::compare_lanes<cuda_on_cpu::Lane>(a, b, cuda_on_cpu::function); \
    }                                                                                      \
    CUDA_ON_CPU_LANES(__vset##name, Lane, function)
#define CUDA_ON_CPU_BOTH(count, u, s)                                                             \
    CUDA_ON_CPU_LANES(__vadd##count, u, add)                                                      \
    CUDA_ON_CPU_LANES(__vsub##count, u, subtract)                                                 \
    CUDA_ON_CPU_LANES(__vminu##count, u, smaller)                                                 \
    CUDA_ON_CPU_LANES(__vmins##count, s, smaller)                                                 \
    CUDA_ON_CPU_LANES(__vmaxu##count, u, larger)                                                  \
    CUDA_ON_CPU_LANES(__vmaxs##count, s, larger)                                                  \
    CUDA_ON_CPU_LANES(__vabsdiffu##count, u, distance)                                            \
    CUDA_ON_CPU_LANES(__vabsdiffs##count, s, distance)                                            \
    CUDA_ON_CPU_LANES(__vavgu##count, u, mean_up)                                                 \
    CUDA_ON_CPU_LANES(__vavgs##count, s, mean_away)                                               \
    CUDA_ON_CPU_LANES(__vhaddu##count, u, mean_down)                                              \
    CUDA_ON_CPU_COMPARE(eq##count, u, equal)                                                      \
    CUDA_ON_CPU_COMPARE(ne##count, u, different)                                                  \
    CUDA_ON_CPU_COMPARE(gtu##count, u, greater)                                                   \
    CUDA_ON_CPU_COMPARE(gts##count, s, greater)                                                   \
    CUDA_ON_CPU_COMPARE(geu##count, u, at_least)                                                  \
    CUDA_ON_CPU_COMPARE(ges##count, s, at_least)                                                  \
    CUDA_ON_CPU_COMPARE(ltu##count, u, smaller_than)                                              \
    CUDA_ON_CPU_COMPARE(lts##count, s, smaller_than)                                              \
    CUDA_ON_CPU_COMPARE(leu##count, u, at_most)                                                   \
    CUDA_ON_CPU_COMPARE(les##count, s, at_most)                                                   \
    inline unsigned __vneg##count(unsigned a) { return __vsub##count(0, a); }                     \
    inline unsigned __vnegss##count(unsigned a) { return __vsubss##count(0, a); }                 \
    inline unsigned __vabs##count(unsigned a) { return __vabsdiffs##count(a, 0); }                \
    inline unsigned __vabsss##count(unsigned a) { return __vmaxs##count(a, __vnegss##count(a)); } \
    inline unsigned __vsadu##count(unsigned a, unsigned b) {                                      \
        return cuda_on_cpu::sum_of_lanes<cuda_on_cpu::u>(__vabsdiffu##count(a, b));               \
    }                                                                                             \
    inline unsigned __vsads##count(unsigned a, unsigned b) {                                      \
        return cuda_on_cpu::sum_of_lanes<cuda_on_cpu::u>(__vabsdiffs##count(a, b));               \
    }
CUDA_ON_CPU_SATURATE(__vaddus2, u16, add, 0, 65535)
CUDA_ON_CPU_SATURATE(__vaddus4, u8, add, 0, 255)
CUDA_ON_CPU_SATURATE(__vaddss2, s16, add, -32768, 32767)
CUDA_ON_CPU_SATURATE(__vaddss4, s8, add, -128, 127)
CUDA_ON_CPU_SATURATE(__vsubus2, u16, subtract, 0, 65535)
CUDA_ON_CPU_SATURATE(__vsubus4, u8, subtract, 0, 255)
CUDA_ON_CPU_SATURATE(__vsubss2, s16, subtract, -32768, 32767)
CUDA_ON_CPU_SATURATE(__vsubss4, s8, subtract, -128, 127)
CUDA_ON_CPU_BOTH(2, u16, s16)
CUDA_ON_CPU_BOTH(4, u8, s8)
#undef CUDA_ON_CPU_BOTH
#undef CUDA_ON_CPU_COMPARE
#undef CUDA_ON_CPU_SATURATE
#undef CUDA_ON_CPU_LANES

// ---- dynamic programming: sums wrap around; relu: at least 0
namespace cuda_on_cpu {

/// function(x, y, z) of the lanes of three words.
template <class Lane, class Word, class Function>
inline Word three_lanes(Word a, Word b, Word c, Function function) {
    using Unsigned = std::make_unsigned_t<Lane>;
    unsigned result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(Lane)) {
        const auto lane = [shift](Word word) {
            return static_cast<Lane>(static_cast<unsigned>(word) >> shift);
        };
        result |= static_cast<unsigned>(static_cast<Unsigned>(function(lane(a), lane(b), lane(c))))
                  << shift;
    }
    return static_cast<Word>(result);
}
template <class Lane>
constexpr Lane wrapped_sum(Lane x, Lane y) {
    return static_cast<Lane>(static_cast<unsigned>(x) + static_cast<unsigned>(y));
}

}  // namespace cuda_on_cpu

#define CUDA_ON_CPU_THREE(name, Word, Lane, result)                          \
    inline Word name(Word a, Word b, Word c) {                               \
        return cuda_on_cpu::three_lanes<Lane>(                               \
            a, b, c, [](Lane x, Lane y, Lane z) -> Lane { return result; }); \
    }
#define CUDA_ON_CPU_LARGEST(end, Word, Lane)                                                     \
    CUDA_ON_CPU_THREE(__viaddmax_##end, Word, Lane, std::max(cuda_on_cpu::wrapped_sum(x, y), z)) \
    CUDA_ON_CPU_THREE(__viaddmin_##end, Word, Lane, std::min(cuda_on_cpu::wrapped_sum(x, y), z)) \
    CUDA_ON_CPU_THREE(__vimax3_##end, Word, Lane, std::max(std::max(x, y), z))                   \
    CUDA_ON_CPU_THREE(__vimin3_##end, Word, Lane, std::min(std::min(x, y), z))
#define CUDA_ON_CPU_RELU(end, Word, Lane)                                                 \
    CUDA_ON_CPU_THREE(__viaddmax_##end, Word, Lane,                                       \
                      std::max({cuda_on_cpu::wrapped_sum(x, y), z, Lane{0}}))             \
    CUDA_ON_CPU_THREE(__viaddmin_##end, Word, Lane,                                       \
                      std::max(std::min(cuda_on_cpu::wrapped_sum(x, y), z), Lane{0}))     \
    CUDA_ON_CPU_THREE(__vimax3_##end, Word, Lane, std::max({x, y, z, Lane{0}}))           \
    CUDA_ON_CPU_THREE(__vimin3_##end, Word, Lane, std::max(std::min({x, y, z}), Lane{0})) \
    inline Word __vimax_##end(Word a, Word b) { return __vimax3_##end(a, b, b); }         \
    inline Word __vimin_##end(Word a, Word b) { return __vimin3_##end(a, b, b); }
CUDA_ON_CPU_LARGEST(s32, int, int)
CUDA_ON_CPU_LARGEST(u32, unsigned, unsigned)
CUDA_ON_CPU_LARGEST(s16x2, unsigned, short)
CUDA_ON_CPU_LARGEST(u16x2, unsigned, unsigned short)
CUDA_ON_CPU_RELU(s32_relu, int, int)
CUDA_ON_CPU_RELU(s16x2_relu, unsigned, short)
#undef CUDA_ON_CPU_RELU
#undef CUDA_ON_CPU_LARGEST
#undef CUDA_ON_CPU_THREE

// Which one it was: whether it is a; of two lanes, first of the high one.
#define CUDA_ON_CPU_WHICH(end, Word)                         \
    inline Word __vibmax_##end(Word a, Word b, bool* is_a) { \
        *is_a = a >= b;                                      \
        return *is_a ? a : b;                                \
    }                                                        \
    inline Word __vibmin_##end(Word a, Word b, bool* is_a) { \
        *is_a = a <= b;                                      \
        return *is_a ? a : b;                                \
    }
CUDA_ON_CPU_WHICH(s32, int)
CUDA_ON_CPU_WHICH(u32, unsigned)
#undef CUDA_ON_CPU_WHICH
#define CUDA_ON_CPU_WHICH(name, compare, choose)                                    \
    inline unsigned name(unsigned a, unsigned b, bool* high_is_a, bool* low_is_a) { \
        const unsigned is_a = compare(a, b);                                        \
        *high_is_a = is_a >> 16 != 0;                                               \
        *low_is_a = (is_a & 1) != 0;                                                \
        return choose(a, b);                                                        \
    }
CUDA_ON_CPU_WHICH(__vibmax_s16x2, __vsetges2, __vmaxs2)
CUDA_ON_CPU_WHICH(__vibmax_u16x2, __vsetgeu2, __vmaxu2)
CUDA_ON_CPU_WHICH(__vibmin_s16x2, __vsetles2, __vmins2)
CUDA_ON_CPU_WHICH(__vibmin_u16x2, __vsetleu2, __vminu2)
#undef CUDA_ON_CPU_WHICH
