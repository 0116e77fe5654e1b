// SPDX-License-Identifier: MIT
#include "suspects.hpp"

#include <algorithm>

#include "device/memory/undefined.hpp"

namespace cuda_on_cpu::check {
namespace {

std::uintptr_t number(const char* address) { return reinterpret_cast<std::uintptr_t>(address); }

// Whether these bytes are still what the device's memory holds at first, from this address on.
bool is_undefined(const char* bytes, std::size_t count, std::uintptr_t device) {
    const auto* const word = reinterpret_cast<const char*>(&undefined_word);
    for (std::size_t i = 0; i < count; ++i)
        if (bytes[i] != word[(device + i) % sizeof undefined_word]) return false;
    return true;
}

}  // namespace

void Suspects::add(const std::string& text, bool is_worth_a_note, const Gaps& gaps, const char* to,
                   const char* from, const Rows& rows) {
    texts_.push_back({text, is_worth_a_note});
    for (auto [begin, end] : gaps.parts)
        while (begin < end) {
            const std::size_t y = begin / rows.width, x = begin % rows.width;
            const std::size_t bytes = std::min(end - begin, rows.width - x);
            const std::uintptr_t at = number(to) + y * rows.to_pitch + x;
            parts_[at] = {at + bytes, at - (number(from) + y * rows.from_pitch + x),
                          texts_.size() - 1};
            low_ = low_ == high_ ? at : std::min(low_, at);
            high_ = std::max(high_, at + bytes);
            begin += bytes;
        }
    clean_from_ = clean_to_ = 0;
}

std::string Suspects::look(std::uintptr_t address, std::size_t bytes) {
    const std::uintptr_t end = address + bytes;
    if (clean_from_ <= address && end <= clean_to_) return {};
    const auto next = parts_.upper_bound(end - 1);
    clean_to_ = next == parts_.end() ? ~std::uintptr_t{0} : next->first;
    clean_from_ = next == parts_.begin() ? 0 : std::prev(next)->second.end;
    if (clean_from_ <= address) return {};
    const auto part = std::prev(next);
    const auto [last, shift, number] = part->second;
    clean_to_ = clean_from_;
    const std::uintptr_t first = std::max(address, part->first);
    if (!is_undefined(reinterpret_cast<const char*>(first), std::min(end, last) - first,
                      first - shift)) {
        parts_.erase(part);  // something else is there now
        return {};
    }
    std::erase_if(parts_, [number = number](const auto& p) { return p.second.text == number; });
    std::string text;
    std::swap(text, texts_[number].text);
    return text;
}

std::vector<std::string> Suspects::notes() const {
    std::vector<std::string> texts;
    for (const Text& text : texts_)
        if (text.is_note && !text.text.empty()) texts.push_back(text.text);
    return texts;
}

}  // namespace cuda_on_cpu::check
