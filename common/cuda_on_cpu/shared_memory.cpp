// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "shared_memory.hpp"

#include <link.h>

#include <cstdint>
#include <cstring>

#include "sanitizers.hpp"

/// The labs declare it: extern __shared__ unsigned char dynamic_shared[];
alignas(128) thread_local unsigned char dynamic_shared[cuda_on_cpu::largest_shared_bytes];

namespace cuda_on_cpu {
namespace {

struct Range {
    char *begin, *end;
};

// The first module is the program itself. Its thread-local block begins with the variables that
// have an initialiser; a __shared__ variable cannot have one, so those belong to others and are
// spared.
int find_block(dl_phdr_info* info, std::size_t, void* result) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
        char* const block = static_cast<char*>(info->dlpi_tls_data);
        *static_cast<Range*>(result) = {block + header.p_filesz, block + header.p_memsz};
    }
    return 1;
}

void fill(char* begin, char* end) {
    if (begin >= end) return;
    std::memset(begin, 0xff, static_cast<std::size_t>(end - begin));
    VALGRIND_MAKE_MEM_UNDEFINED(begin, static_cast<std::size_t>(end - begin));
}

// The compiler must not know that it is that array: what lies after it is filled too.
char* dynamic_begin() {
    auto* begin = reinterpret_cast<char*>(dynamic_shared);
    asm("" : "+r"(begin));
    return begin;
}

}  // namespace

SharedMemory::SharedMemory(std::size_t dynamic_bytes) : dynamic_bytes_(dynamic_bytes) {
    Range block{};
    dl_iterate_phdr(find_block, &block);
    begin_ = block.begin;
    end_ = block.end;
    poison(dynamic_begin() + dynamic_bytes_, largest_shared_bytes - dynamic_bytes_);
}

SharedMemory::~SharedMemory() { unpoison(dynamic_begin(), largest_shared_bytes); }

void SharedMemory::forget() const {
    fill(begin_, dynamic_begin());
    fill(dynamic_begin(), dynamic_begin() + dynamic_bytes_);
    fill(dynamic_begin() + largest_shared_bytes, end_);
}

}  // namespace cuda_on_cpu
