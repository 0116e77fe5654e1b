// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "shared_memory.hpp"

#include <link.h>

#include <cstdint>
#include <cstring>

#include "keywords.hpp"
#include "sanitizers.hpp"

namespace cuda_on_cpu {
namespace {

// extern __shared__ T name[]; of any name and type is this memory.
alignas(128) char dynamic_shared[largest_shared_bytes];

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

}  // namespace

void* dynamic_memory() { return dynamic_shared; }

SharedMemory::SharedMemory(std::size_t dynamic_bytes) : dynamic_bytes_(dynamic_bytes) {
    Range block{};
    dl_iterate_phdr(find_block, &block);
    begin_ = block.begin;
    end_ = block.end;
    poison(dynamic_shared + dynamic_bytes_, largest_shared_bytes - dynamic_bytes_);
}

SharedMemory::~SharedMemory() { unpoison(dynamic_shared, largest_shared_bytes); }

void SharedMemory::forget() const {
    fill(begin_, end_);
    fill(dynamic_shared, dynamic_shared + dynamic_bytes_);
}

}  // namespace cuda_on_cpu
