// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "includes.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace cuda_on_cpu {
namespace {

constexpr const char* in_cuda_runtime =
    " builtin_types.h common_functions.h cuda_runtime_api.h device_atomic_functions.h"
    " device_double_functions.h device_functions.h device_launch_parameters.h device_types.h"
    " driver_types.h host_defines.h math_functions.h sm_20_atomic_functions.h sm_20_intrinsics.h"
    " sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h sm_60_atomic_functions.h"
    " sm_61_intrinsics.h vector_functions.h vector_types.h ";

struct Missing {
    std::string_view begin;  // of the header's name
    const char* what;
};
constexpr Missing missing[] = {{"cuda.h", "the driver API"},
                               {"cuda_fp", "floats of 16 bits and less"},
                               {"cuda_bf16", "floats of 16 bits and less"},
                               {"cooperative_groups", "cooperative groups"},
                               {"cuda_awbarrier", "asynchronous barriers"},
                               {"cuda_pipeline", "asynchronous copies to shared memory"},
                               {"cuda_device_runtime_api.h", "kernels that launch kernels"},
                               {"cuda_profiler_api.h", "the profiler's functions"},
                               {"cudaProfiler.h", "the profiler's functions"},
                               {"cuda_gl_interop.h", "OpenGL"},
                               {"cuda_egl_interop.h", "EGL"},
                               {"driver_functions.h", "three-dimensional copies"},
                               {"cuComplex.h", "complex numbers"},
                               {"mma.h", "matrix functions of warps"},
                               {"texture_", "textures"},
                               {"channel_descriptor.h", "textures"},
                               {"surface_", "surfaces"},
                               {"cuda/", "libcu++"},
                               {"nv/target", "libcu++"},
                               {"cub/", "CUB"},
                               {"thrust/", "Thrust"},
                               {"nvToolsExt", "NVTX"},
                               {"nvtx3/", "NVTX"},
                               {"nvrtc.h", "compilation of kernels at run time"},
                               {"cublas", "cuBLAS"},
                               {"cudnn", "cuDNN"},
                               {"cufft", "cuFFT"},
                               {"curand", "cuRAND"},
                               {"cusolver", "cuSOLVER"},
                               {"cusparse", "cuSPARSE"},
                               {"cupti", "CUPTI"},
                               {"nvblas.h", "cuBLAS"},
                               {"nccl", "NCCL"},
                               {"npp", "NPP"}};

}  // namespace

void translate_include(Source& source, std::size_t at) {
    const std::size_t begin = at + 2;
    std::size_t end = begin;  // of the name
    std::string name;
    if (source.is(begin, "<")) {
        for (++end; end < source.size() && !source.is(end, ">"); ++end) name += source.text_of(end);
    } else if (begin < source.size()) {
        name = source.text_of(begin);
        name = name.substr(1, name.size() - 2 * (name.size() > 1));
        if (exists(std::filesystem::path(source.file()).replace_filename(name))) return;
    }
    const auto become = [&](const char* directive, const std::string& what) {
        source.replace(at + 1, directive);
        source.replace(begin, what);
        for (std::size_t i = begin + 1; i <= end && i < source.size(); ++i) source.replace(i, "");
    };
    if (std::string(in_cuda_runtime).find(" " + name + " ") != std::string::npos)
        return become("include", "<cuda_runtime.h>");
    for (const Missing& header : missing)
        if (std::string_view(name).substr(0, header.begin.size()) == header.begin)
            return become("error", "\"CUDA on the CPU does not have " + std::string(header.what) +
                                       " (" + name +
                                       "): see cuda_on_cpu/README.md, or compile with nvcc.\"");
}

}  // namespace cuda_on_cpu
