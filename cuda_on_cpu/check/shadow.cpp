// SPDX-License-Identifier: MIT
#include "shadow.hpp"

#include <algorithm>

namespace cuda_on_cpu::check {
namespace {

// Memory that the host can write itself counts as written by it: functions of libraries do so, too.
Cell fresh(Region::Kind kind) {
    Cell cell;
    if (kind != Region::Kind::device && kind != Region::Kind::shared) cell.write.block = Use::host;
    return cell;
}

std::uintptr_t page_number(std::uintptr_t address) { return address / Page::bytes; }

}  // namespace

void Page::split() {
    if (shift_ == whole) {
        const Cell cell = cells_.front();
        cells_.assign(bytes / 4, cell);  // soon again whole: the vector keeps its memory
        shift_ = 2;
        return;
    }
    std::vector<Cell> single(bytes);
    for (std::size_t i = 0; i < bytes; ++i) single[i] = cells_[i / 4];
    cells_ = std::move(single);
    shift_ = 0;
}

void Page::fill(std::uintptr_t address, std::size_t count, const Cell& cell) {
    if (count == bytes) {
        cells_.assign(1, cell);
        shift_ = whole;
    } else {
        for_each(address, count, [&](Cell& old, std::size_t) { old = cell; });
    }
}

Page& Region::page_of(std::uintptr_t address) {
    auto& page = pages[page_number(address) - page_number(begin)];
    if (page == nullptr) page = std::make_unique<Page>(fresh(kind));
    return *page;
}

void Region::fill(std::uintptr_t address, std::size_t count, const Cell& cell) {
    while (count > 0) {
        const std::size_t part = std::min(count, Page::bytes - address % Page::bytes);
        page_of(address).fill(address, part, cell);
        address += part;
        count -= part;
    }
}

Region& Shadow::add(std::uintptr_t begin, std::size_t bytes, Region::Kind kind) {
    auto region = std::make_unique<Region>();
    region->begin = begin;
    region->end = begin + bytes;
    region->kind = kind;
    region->pages.resize(page_number(begin + bytes - 1) - page_number(begin) + 1);
    const auto place = std::find_if(regions_.begin(), regions_.end(), [&](const auto& other) {
        return other->begin > region->begin;
    });
    std::fill(std::begin(near_), std::end(near_), Near{});
    return **regions_.insert(place, std::move(region));
}

bool Shadow::has(std::uintptr_t begin, std::uintptr_t end) const {
    return std::any_of(regions_.begin(), regions_.end(), [=](const auto& region) {
        return region->begin == begin && region->end == end;
    });
}

void Shadow::remove(std::uintptr_t begin) {
    std::erase_if(regions_, [=](const auto& region) { return region->begin == begin; });
    std::fill(std::begin(near_), std::end(near_), Near{});
}

Region* Shadow::search(std::uintptr_t address) {
    for (const auto& region : regions_)
        if (page_number(address) >= page_number(region->begin) &&
            page_number(address) <= page_number(region->end - 1))
            return region.get();
    return nullptr;
}

}  // namespace cuda_on_cpu::check
