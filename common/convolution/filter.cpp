// SPDX-License-Identifier: MIT
#include "common/convolution/filter.hpp"

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "common/base/division.hpp"
#include "common/base/error.hpp"

namespace convolab {
namespace {

using Taps = std::vector<std::int32_t>;

constexpr std::int32_t kMaximum = 65536;  // of a divisor, and of the taps together
}  // namespace

Filter::Filter(std::string name, int ksize, Taps taps, std::int32_t divisor)
    : name_(std::move(name)), ksize_(ksize), taps_(std::move(taps)), divisor_(divisor) {
    const std::string who = "Filter '" + name_ + "' of side " + std::to_string(ksize) + " ";
    if (ksize < 1 || ksize > 255 || ksize % 2 == 0)
        throw UsageError(who + "cannot be made: the side must be odd, from 1 to 255.");
    if (taps_.size() != static_cast<std::size_t>(ksize) * ksize)
        throw UsageError(who + "needs " + std::to_string(ksize * ksize) + " taps and has " +
                         std::to_string(taps_.size()) + ".");
    std::int64_t sum = 0;
    for (const auto tap : taps_) sum += std::abs(static_cast<std::int64_t>(tap));
    if (sum > kMaximum)
        throw UsageError(who + "has taps that add up to " + std::to_string(sum) +
                         " in absolute value; 65536 is the maximum that stays exact.");
    if (divisor < 1 || divisor > kMaximum)
        throw UsageError(who + "is divided by " + std::to_string(divisor) +
                         "; the divisor must be from 1 to 65536.");
}

std::int32_t common_factor(const Taps& taps, std::int32_t start) {
    return std::accumulate(taps.begin(), taps.end(), start,
                           [](int a, int b) { return std::gcd(a, b); });
}

std::optional<Filter::OuterProduct> Filter::outer_product() const {
    int pivot = -1;  // the first row that is not all zero
    for (int j = 0; j < ksize_ && pivot < 0; ++j)
        for (int i = 0; i < ksize_; ++i)
            if (tap(i, j) != 0) pivot = j;
    OuterProduct product{Taps(ksize_), Taps(ksize_)};
    if (pivot < 0) return product;
    std::int32_t divisor = 0;
    int first = -1;
    for (int i = 0; i < ksize_; ++i) {
        divisor = std::gcd(divisor, tap(i, pivot));
        if (first < 0 && tap(i, pivot) != 0) first = i;
    }
    // The row without its common factor; if an integer column exists for any row, it does for this.
    for (int i = 0; i < ksize_; ++i) product.row[i] = tap(i, pivot) / divisor;
    for (int j = 0; j < ksize_; ++j) product.column[j] = tap(first, j) / product.row[first];
    for (int j = 0; j < ksize_; ++j)
        for (int i = 0; i < ksize_; ++i)
            if (product.column[j] * product.row[i] != tap(i, j)) return {};
    // Two passes keep the row sums between them: give the row its share of a common factor, so that
    // those of the Gaussian both have the sum 256.
    const std::int32_t common = common_factor(product.column);
    const auto root = static_cast<std::int32_t>(square_root(std::abs(common)));
    if (root > 1 && root * root == common) {
        for (auto& tap : product.column) tap /= root;
        for (auto& tap : product.row) tap *= root;
    }
    return product;
}

bool Filter::can_renormalise() const {
    std::vector<std::int64_t> prefix(static_cast<std::size_t>(ksize_ + 1) * (ksize_ + 1));
    const auto at = [&](int i, int j) -> std::int64_t& { return prefix[j * (ksize_ + 1) + i]; };
    for (int j = 0; j < ksize_; ++j)
        for (int i = 0; i < ksize_; ++i)
            at(i + 1, j + 1) = at(i, j + 1) + at(i + 1, j) - at(i, j) + tap(i, j);
    if (at(ksize_, ksize_) != divisor_) return false;
    const int p = radius();
    for (int j0 = 0; j0 <= p; ++j0)  // every part that contains the centre
        for (int j1 = p + 1; j1 <= ksize_; ++j1)
            for (int i0 = 0; i0 <= p; ++i0)
                for (int i1 = p + 1; i1 <= ksize_; ++i1)
                    if (at(i1, j1) - at(i0, j1) - at(i1, j0) + at(i0, j0) <= 0) return false;
    return true;
}

std::vector<std::int32_t> gaussian_taps(int ksize, std::optional<double> sigma) {
    if (ksize < 1 || ksize > 31 || ksize % 2 == 0)
        throw UsageError("A Gaussian of side " + std::to_string(ksize) +
                         " is not possible: its side is odd, from 1 to 31.");
    if (sigma && !(*sigma > 0 && std::isfinite(*sigma)))
        throw UsageError("Option --sigma must be a positive number.");
    if (!sigma) {
        switch (ksize) {
            case 1:
                return {256};
            case 3:
                return {64, 128, 64};
            case 5:
                return {16, 64, 96, 64, 16};
            case 7:
                return {8, 28, 56, 72, 56, 28, 8};
            case 9:
                return {4, 13, 30, 51, 60, 51, 30, 13, 4};
            default:
                sigma = 0.3 * ((ksize - 1) * 0.5 - 1) + 0.8;
        }
    }
    const int p = ksize / 2;
    std::vector<double> g(ksize);
    double sum = 0;
    for (int i = 0; i < ksize; ++i) {
        const double d = i - p;
        g[i] = std::exp(-d * d / (2 * *sigma * *sigma));
        sum += g[i];
    }
    std::vector<std::int32_t> taps(ksize);
    double carry = 0;
    std::int32_t left = 256;
    for (int i = 0; i < p; ++i) {
        const double v = 256 * (g[i] / sum) + carry;
        taps[i] = taps[ksize - 1 - i] =
            static_cast<std::int32_t>(std::nearbyint(v));  // half to even
        carry = v - taps[i];
        left -= 2 * taps[i];
    }
    taps[p] = left;
    return taps;
}

}  // namespace convolab
