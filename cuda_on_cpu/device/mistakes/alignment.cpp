// SPDX-License-Identifier: MIT
// A GPU reads and writes n bytes only at multiples of n, but this processor does it at any address.
// So the compiler tests addresses (-fsanitize=alignment) and calls the handler below if one does
// not fit its type. The host may continue. The program needs no UBSan library (see ubsan.cpp).
#include <dlfcn.h>

#include <string>

#include "device/base/source_line.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/device_access.hpp"
#include "device/memory/shared_memory.hpp"
#include "device/threads/block.hpp"
#include "keywords.hpp"

namespace cuda_on_cpu {
namespace {

struct Mismatch {
    struct {
        const char* file;
        std::uint32_t line, column;
    } place;
    const struct {
        std::uint16_t kind, info;
        char name[1];  // the real length is unknown here
    } * type;
    unsigned char log_alignment;
    unsigned char use;  // 0: loads, 1: stores, others: members, references
};

struct Use {
    const char *verb, *type;  // type is nullptr for an atomic function
    std::size_t alignment;
    const void *address, *code;
};

// Turns "'const struct uchar4'" into "a uchar4".
std::string a_type(const char* quoted) {
    std::string name = quoted;
    for (const char* const word : {"'", "const ", "volatile ", "struct "})
        for (std::size_t at; (at = name.find(word)) != std::string::npos;)
            name.erase(at, std::string(word).size());
    const bool begins_with_vowel = name.rfind("int", 0) == 0 || name.rfind("unsigned", 0) == 0;
    return (begins_with_vowel ? "an " : "a ") + name;
}

// Whether a thread may use the address at all. If not, the access itself will fault, and the
// fault's message describes the address.
bool is_usable(const void* address) {
    return find_allocation(address).begin != nullptr || is_shared(address) ||
           running_block().is_on_stack(address) || is_static(address, 1);
}

Finding text_of(const Use& use) {
    Finding text(Kind::misaligned, use.verb);
    text += (use.type == nullptr ? count_text(use.alignment) : a_type(use.type)) +
            " at an address that is not a multiple of " + std::to_string(use.alignment);
    if (find_allocation(use.address).begin != nullptr) text += ": " + describe_address(use.address);
    for (const SharedRange& range : shared_ranges())
        if (range.contains(use.address))
            text += ": byte " +
                    std::to_string(static_cast<const char*>(use.address) - range.begin) +
                    " of the shared memory";
    return text + source_line(static_cast<const char*>(use.code) - 1);
}

void stop_use(const Use& use) {
    if (running_block().is_in_kernel() && is_usable(use.address))
        running_block().stop(cudaErrorMisalignedAddress, [&use] { return text_of(use); });
}

}  // namespace

void stop_misaligned_atomic(const void* address, std::size_t bytes) {
    stop_use({"uses an atomic function on ", nullptr, bytes, address, __builtin_return_address(0)});
}

}  // namespace cuda_on_cpu

extern "C" [[gnu::weak]] void __ubsan_handle_type_mismatch_v1(const cuda_on_cpu::Mismatch* mismatch,
                                                              const void* address) {
    using Handler = void (*)(const cuda_on_cpu::Mismatch*, const void*);
    static const auto next =
        reinterpret_cast<Handler>(dlsym(RTLD_NEXT, "__ubsan_handle_type_mismatch_v1"));
    const char* const verb = mismatch->use == 0   ? "reads "
                             : mismatch->use == 1 ? "writes "
                                                  : "uses ";
    cuda_on_cpu::stop_use({verb, mismatch->type->name, std::size_t{1} << mismatch->log_alignment,
                           address, __builtin_return_address(0)});
    if (next != nullptr) next(mismatch, address);  // the program is compiled with UBSan
}
