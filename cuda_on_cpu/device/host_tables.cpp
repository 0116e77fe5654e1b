// SPDX-License-Identifier: MIT
#include "device/host_tables.hpp"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "device/accesses.hpp"
#include "device/sanitizers.hpp"

// Type infos of classes without a base, with one base, and with several. Their addresses are the
// first word of every std::type_info.
extern const char plain_class[] asm("_ZTVN10__cxxabiv117__class_type_infoE");
extern const char class_with_base[] asm("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern const char class_with_bases[] asm("_ZTVN10__cxxabiv121__vmi_class_type_infoE");

namespace cuda_on_cpu {
namespace {

using Place = std::uintptr_t;
struct Range {
    Place begin, end;
    bool contains(Place word) const { return word >= begin && word < end; }
};
Range hidden{0, 0};  // as large as the program

int take_segments(dl_phdr_info* info, std::size_t, void* result) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        const Place begin = info->dlpi_addr + header.p_vaddr;
        if (header.p_type == PT_LOAD && (header.p_flags & PF_R) != 0)
            static_cast<std::vector<Range>*>(result)->push_back({begin, begin + header.p_memsz});
    }
    return 1;  // the first module is the program itself
}
const std::vector<Range>& segments() {
    static const auto& all = *[] {
        auto* const found = new std::vector<Range>;
        dl_iterate_phdr(take_segments, found);
        return found;
    }();
    return all;
}

// The word at an address of the program; 0 for other addresses.
Place word_at(Place place) {
    Place word = 0;
    for (const Range& segment : segments())
        if (segment.contains(place) && segment.contains(place + sizeof word - 1))
            std::memcpy(&word, reinterpret_cast<const void*>(place), sizeof word);
    return word;
}

// The word before a table is the address of its class's std::type_info.
bool is_table(Place word) {
    if (word % sizeof word != 0 || word_at(word) == 0) return false;
    const Place kind = word_at(word_at(word - sizeof word));
    for (const char* const table : {plain_class, class_with_base, class_with_bases})
        if (kind == reinterpret_cast<Place>(table) + 2 * sizeof kind) return true;
    return false;
}

template <class Change>
void change_words(void* begin, std::size_t bytes, Change change) {
    const Place from = (reinterpret_cast<Place>(begin) + 7) & ~Place{7};
    for (Place at = from; at + sizeof at <= reinterpret_cast<Place>(begin) + bytes;
         at += sizeof at) {
        Place word = 0;
        std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
        const Place changed = change(word);
        if (changed != word) std::memcpy(reinterpret_cast<void*>(at), &changed, sizeof changed);
    }
}

Place image_begin() { return segments().front().begin; }

}  // namespace

void hide_tables(void* begin, std::size_t bytes) {
    if (observer != nullptr || has_asan() || segments().empty()) return;  // they report it
    const Range image{image_begin(), segments().back().end};
    change_words(begin, bytes, [&image](Place word) {
        if (!image.contains(word) || !is_table(word)) return word;
        if (hidden.begin == 0) {
            const std::size_t size = image.end - image.begin;
            void* const pages = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (pages == MAP_FAILED) return word;
            hidden = {reinterpret_cast<Place>(pages), reinterpret_cast<Place>(pages) + size};
        }
        return word - image.begin + hidden.begin;
    });
}

void show_tables(void* begin, std::size_t bytes) {
    if (hidden.begin == 0) return;
    change_words(begin, bytes, [](Place word) {
        return hidden.contains(word) ? word - hidden.begin + image_begin() : word;
    });
}

bool is_hidden_table(const void* address) {
    return hidden.contains(reinterpret_cast<Place>(address));
}

}  // namespace cuda_on_cpu
