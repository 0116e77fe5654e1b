// SPDX-License-Identifier: MIT
// warpgroup.hpp on the emulator, which multiplies in wait(), by plain loops. Until then the sums
// contain poison.
#pragma once

#include "labs/12_tensor/parts/warpgroup.hpp"

namespace convolab::tensor_cores {

/// Where the columns of B are.
struct Descriptor {
    const unsigned char* s_from;
    int stride = 0;

    explicit Descriptor(const unsigned char* s_rows = nullptr) : s_from(s_rows) {}
    Descriptor at(int offset, int to_next_chunk) const {
        Descriptor there(s_from + offset);
        there.stride = to_next_chunk;
        return there;
    }
};

template <int N>
class Products {
  public:
    int sums[N / 2];

    void begin() { count_ = 0; }
    template <bool is_first, class Part>
    void multiply(const Part& part, const Descriptor& b, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
        Product& product = product_[count_++];
        product = {{{part.a.x, part.a.y, part.a.z, part.a.w}, {}, 0}, b, false};
        if constexpr (Part::kChunks == 4) {
            product.is_sparse = true;
            product.a.positions = part.positions;
            require_rising(part.positions, file, line);
        }
        if constexpr (is_first)
            for (int& sum : sums) sum = 0x7f7f7f7f;
    }
    void wait() {
        for (int& sum : sums) sum = 0;
        for (int i = 0; i < count_; ++i) add(product_[i]);
        count_ = 0;
    }

  private:
    struct Product {
        MatrixRegisters a;
        Descriptor b;
        bool is_sparse;
    };

    void add(const Product& product) {
        const Operands of(exchange_pointers("wgmma", &product.a));
        const int t = threadIdx.x % 4;
        for (int group = 0; group < 16; ++group)  // a group of two stored elements
            for (int below = 0; below < 2; ++below) {
                const int word = below + 2 * (group / 8);
                const std::int8_t* taps =
                    of.rows[group % 8 / 2].taps() + 4 * word + 2 * (group % 2);
                if (taps[0] == 0 && taps[1] == 0) continue;
                const unsigned places = of.rows[word].positions >> (4 * (group % 8));
                const int first = product.is_sparse ? 4 * group + (places & 3) : 2 * group;
                const int second = product.is_sparse ? 4 * group + (places >> 2 & 3) : first + 1;
                const unsigned char* s_column =
                    product.b.s_from + 32 * t + first / 16 * product.b.stride + first % 16;
                for (int i = 0; i < N / 4; ++i, s_column += i % 2 == 0 ? 112 : 16)
                    sums[i / 2 * 4 + 2 * below + i % 2] +=
                        taps[0] * s_column[0] + taps[1] * s_column[second - first];
            }
        exchange_pointers("wgmma", nullptr);  // no lane continues before all have read
    }

    int count_ = 0;
    Product product_[12];
};

template <int registers>
void take_registers() {}
template <int registers>
void give_registers() {}

}  // namespace convolab::tensor_cores
