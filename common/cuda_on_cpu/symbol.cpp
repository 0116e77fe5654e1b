// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// __constant__ and __device__ variables: ordinary variables with static storage.
#include <link.h>

#include <cstdint>
#include <cstring>

#include "copy.hpp"
#include "device.hpp"
#include "kernel_api.hpp"
#include "memory.hpp"

namespace cuda_on_cpu {
namespace {

struct Search {
    std::uintptr_t begin, end;
    bool found;
};

int look_in_module(dl_phdr_info* info, std::size_t, void* data) {
    Search& search = *static_cast<Search*>(data);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
        if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0 && search.begin >= begin &&
            search.end <= begin + header.p_memsz)
            search.found = true;
    }
    return search.found ? 1 : 0;
}

// A local, allocated or constant object is no symbol. A writable variable of the host cannot be
// told from a __constant__ one.
bool is_symbol(const void* address, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    Search search{begin, begin + bytes, false};
    dl_iterate_phdr(look_in_module, &search);
    return search.found;
}

}  // namespace

cudaError_t copy_symbol(const void* symbol, std::size_t symbol_bytes, const void* host_from,
                        void* host_to, std::size_t bytes, std::size_t offset, bool wait,
                        cudaMemcpyKind kind, cudaStream_t stream) {
    return api([&] {
        if (!is_symbol(symbol, symbol_bytes)) return cudaErrorInvalidSymbol;
        if (offset > symbol_bytes || bytes > symbol_bytes - offset) return cudaErrorInvalidValue;
        const cudaMemcpyKind across =
            host_to != nullptr ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
        if (kind != across && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
            return cudaErrorInvalidMemcpyDirection;
        add_symbol(symbol, symbol_bytes);
        char* const place = static_cast<char*>(const_cast<void*>(symbol)) + offset;
        const Rows rows{bytes, 1, bytes, bytes};
        return host_to != nullptr ? copy(host_to, place, rows, kind, wait, stream)
                                  : copy(place, host_from, rows, kind, wait, stream);
    });
}

cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes) {
    return api([&] {
        if (pointer == nullptr) return cudaErrorInvalidValue;
        if (!is_symbol(symbol, bytes)) return cudaErrorInvalidSymbol;
        add_symbol(symbol, bytes);
        *pointer = const_cast<void*>(symbol);
        return cudaSuccess;
    });
}

}  // namespace cuda_on_cpu
