// SPDX-License-Identifier: MIT
#include "device/base/settings.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>

namespace cuda_on_cpu {

long setting(const char* name, long standard, long minimum, long maximum) {
    const char* const value = std::getenv(name);
    if (value == nullptr || value[0] == '\0') return standard;
    char* end = nullptr;
    errno = 0;
    const long number = std::strtol(value, &end, 10);
    if (errno == 0 && *end == '\0' && number >= minimum && number <= maximum) return number;
    std::fprintf(stderr, "%s is '%s': expected a number from %ld to %ld.\n", name, value, minimum,
                 maximum);
    std::exit(2);
}

Order order_from_environment() {
    const char* const value = std::getenv("CUDA_ON_CPU_ORDER");
    const std::string text = value == nullptr ? "" : value;
    if (text.empty() || text == "forward") return {};
    if (text == "reverse") return {Order::Kind::reverse, 1};
    if (text == "random") return {Order::Kind::random, 1};
    if (text.rfind("random:", 0) == 0 && text.size() > 7 &&
        text.find_first_not_of("0123456789", 7) == std::string::npos)
        return {Order::Kind::random, std::strtoull(text.c_str() + 7, nullptr, 10)};
    std::fprintf(stderr,
                 "CUDA_ON_CPU_ORDER is '%s': expected forward, reverse, random or random:SEED.\n",
                 text.c_str());
    std::exit(2);
}

Permutation::Permutation(const Order& order, std::uint64_t n, std::uint64_t salt)
    : kind_(n < 2 ? Order::Kind::forward : order.kind), n_(n) {
    if (kind_ != Order::Kind::random) return;
    const std::uint64_t both = order.seed * 1000003 + salt;  // any mixture is good enough
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(both % 2147483646 + 1));
    offset_ = random() % n;
    do {
        factor_ = random() & 0xffffU;
    } while (std::gcd(factor_, n) != 1);
}

}  // namespace cuda_on_cpu
