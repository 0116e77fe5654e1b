// SPDX-License-Identifier: MIT
#include "count/totals.hpp"

namespace cuda_on_cpu::count {
namespace {

using enum Use;

double ratio(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}
double number(std::uint64_t a) { return static_cast<double>(a); }

}  // namespace

void Totals::add(const Totals& other) {
    requests += other.requests;
    lanes += other.lanes;
    bytes += other.bytes;
    units += other.units;
    ideal += other.ideal;
    divergent += other.divergent;
    is_uniform = is_uniform && other.is_uniform;
    is_wide = is_wide || other.is_wide;
}

void Counts::add(const Counts& other) {
    for (int use = 0; use < uses; ++use) of[use].add(other.of[use]);
}

Totals Counts::sum(std::initializer_list<Use> some) const {
    Totals result;
    for (const Use use : some) result.add((*this)[use]);
    return result;
}

Counts Kernel::counts() const {
    Counts result;
    for (const auto& [code, site] : sites) result.add(site.counts);
    return result;
}

// Sectors follow from the addresses alone, wavefronts of more than 4 bytes per lane from a rule
// that NVIDIA does not document.
std::vector<Figure> figures(const Counts& counts) {
    const Totals loads = counts[global_load], stores = counts[global_store];
    const Totals global = counts.sum({global_load, global_store});
    const Totals shared = counts.sum({shared_load, shared_store});
    const Totals constant = counts[constant_load];
    const Totals atomics = counts.sum({global_atomic, shared_atomic});
    Totals all = global;
    for (const Totals& some : {shared, constant, atomics}) all.add(some);
    const bool banks = shared.is_uniform && !shared.is_wide;
    return {
        {"requests", number(all.requests), all.is_uniform},
        {"active lanes per request", ratio(all.lanes, all.requests), all.is_uniform},
        {"divergent requests", number(all.divergent), all.is_uniform},
        {"global requests", number(global.requests), global.is_uniform},
        {"global load requests", number(loads.requests), loads.is_uniform},
        {"global store requests", number(stores.requests), stores.is_uniform},
        {"global load sectors", number(loads.units), loads.is_uniform},
        {"global store sectors", number(stores.units), stores.is_uniform},
        {"sectors per request", ratio(global.units, global.requests), global.is_uniform},
        {"bytes asked", number(global.bytes), true},
        {"bytes moved", number(global.units * sector_bytes), global.is_uniform},
        {"shared requests", number(shared.requests), shared.is_uniform},
        {"shared wavefronts", number(shared.units), banks},
        {"bank conflicts", number(shared.units - shared.ideal), banks},
        {"bank conflicts per request", ratio(shared.units - shared.ideal, shared.requests), banks},
        {"constant requests", number(constant.requests), constant.is_uniform},
        {"words per constant request", ratio(constant.units, constant.requests),
         constant.is_uniform},
        {"atomics", number(atomics.lanes), true},
        {"global atomics", number(counts[global_atomic].lanes), true},
        {"shared atomics", number(counts[shared_atomic].lanes), true},
    };
}

std::vector<Figure> figures(const Kernel& kernel) {
    std::vector<Figure> result = {{"launches", number(kernel.launches), true},
                                  {"blocks", number(kernel.blocks), true},
                                  {"warps", number(kernel.warps), true},
                                  {"barriers", number(kernel.barriers), true}};
    for (const Figure& figure : figures(kernel.counts())) result.push_back(figure);
    return result;
}

}  // namespace cuda_on_cpu::count
