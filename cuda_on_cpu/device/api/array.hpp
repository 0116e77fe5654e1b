// SPDX-License-Identifier: MIT
// A CUDA array: elements in device memory.
#pragma once

#include "array_types.hpp"

struct cudaArray {
    char* data;
    cudaChannelFormatDesc channels;
    cudaExtent extent;  ///< as the program gave it: a height or depth of 0 means fewer dimensions
    unsigned flags;

    std::size_t element_bytes() const {
        return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
    }
    std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
    std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
    std::size_t pitch() const { return extent.width * element_bytes(); }
    std::size_t slice_bytes() const { return pitch() * rows(); }
};

namespace cuda_on_cpu {

bool is_array(cudaArray_const_t array);

}  // namespace cuda_on_cpu
