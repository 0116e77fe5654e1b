// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "parts.hpp"

namespace cuda_on_cpu {
namespace {

constexpr const char* in_cuda_runtime =
    " builtin_types.h channel_descriptor.h cuda.h common_functions.h cuda_profiler_api.h "
    "cuda_runtime_api.h device_atomic_functions.h"
    " device_double_functions.h device_functions.h device_launch_parameters.h device_types.h"
    " driver_functions.h driver_types.h host_defines.h library_types.h math_functions.h "
    "sm_20_atomic_functions.h "
    "sm_20_intrinsics.h"
    " sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h sm_60_atomic_functions.h"
    " sm_61_intrinsics.h surface_functions.h surface_indirect_functions.h surface_types.h"
    " texture_fetch_functions.h texture_indirect_functions.h texture_types.h vector_functions.h "
    "vector_types.h ";

struct Missing {
    std::string_view begin;  // of the header's name
    const char* what;
};
constexpr Missing missing[] = {
    {"cuda_fp4", "floats of 4 bits"},
    {"cuda_fp6", "floats of 6 bits"},
    {"cuda_fp8", "floats of 8 bits"},
    {"cooperative_groups/memcpy_async.h", "asynchronous copies to shared memory"},
    {"cuda_awbarrier", "asynchronous barriers"},
    {"cuda_pipeline", "asynchronous copies to shared memory"},
    {"cuda_device_runtime_api.h", "kernels that launch kernels"},
    {"cudaProfiler.h", "the profiler's functions"},
    {"cuda_gl_interop.h", "OpenGL"},
    {"cuda_egl_interop.h", "EGL"},
    {"cuComplex.h", "complex numbers"},
    {"mma.h", "matrix functions of warps"},
    {"cuda/", "libcu++"},
    {"nv/target", "libcu++"},
    {"cub/", "CUB"},
    {"thrust/", "Thrust"},
    {"nvToolsExt", "NVTX for more than ranges and marks"},
    {"nvtx3/", "NVTX for more than ranges and marks"},
    {"nvrtc.h", "compilation of kernels at run time"},
    {"cublas", "of cuBLAS more than gemm"},
    {"cudnn", "cuDNN"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"cusolver", "cuSOLVER"},
    {"cusparse", "cuSPARSE"},
    {"cupti", "CUPTI"},
    {"nvblas.h", "cuBLAS"},
    {"nccl", "NCCL"},
    {"npp", "NPP"}};

// What translate_include() makes of a header of CUDA's: a directive; nothing for other headers. One
// that the program has in a searched folder may have a name that only begins like a library's.
std::string cuda_header(const std::string& name, bool is_found) {
    if (std::string(in_cuda_runtime).find(" " + name + " ") != std::string::npos)
        return "include <cuda_runtime.h>";
    if (name == "nvToolsExt.h" || name == "nvtx3/nvToolsExt.h") return "include <nvToolsExt.h>";
    if (name == "cublas_v2.h" || name == "cublas_api.h") return "include <cublas_v2.h>";
    for (const Missing& header : missing) {
        const std::string begin(header.begin);
        const bool is_whole = name == begin || name == begin + ".h" || begin == "thrust/" ||
                              begin == "cub/" || name.rfind("cuda/std/", 0) == 0;
        if (name.rfind(begin, 0) == 0 && (is_whole || !is_found))
            return "error \"CUDA on the CPU does not have " + std::string(header.what) + " (" +
                   name + "): see cuda_on_cpu/README.md, or compile with nvcc.\"";
    }
    return {};
}

std::string find_header(const std::string& name, const std::vector<std::string>& search) {
    for (const std::string& folder : search)
        if (const auto path = std::filesystem::path(folder) / name; is_regular_file(path))
            return path.lexically_normal();
    return {};
}

}  // namespace

std::string Headers::translation_of(const std::string& header) const {
    return folder + std::filesystem::weakly_canonical(header).string();
}

void translate_include(Source& source, std::size_t at, Headers* headers) {
    const std::size_t begin = at + 2;
    std::size_t end = begin;  // of the name
    std::string name, own;
    if (source.is(begin, "<")) {
        for (++end; end < source.size() && !source.is(end, ">"); ++end) name += source.text_of(end);
    } else if (begin < source.size()) {
        name = source.text_of(begin);
        name = name.substr(1, name.size() - 2 * (name.size() > 1));
        const auto beside = std::filesystem::path(source.file()).replace_filename(name);
        if (is_regular_file(beside)) own = beside.lexically_normal();
    }
    std::string found;
    if (own.empty() && !name.empty() && headers != nullptr)
        found = find_header(name, headers->search);
    std::string directive = own.empty() ? cuda_header(name, !found.empty()) : "";
    if (own.empty()) own = found;
    if (directive.empty() && headers != nullptr) {
        if (own.empty()) return;
        if (std::find(headers->found.begin(), headers->found.end(), own) == headers->found.end())
            headers->found.push_back(own);
        directive = "include \"" + headers->translation_of(own) + '"';
    }
    if (directive.empty()) return;
    const std::size_t blank = directive.find(' ');
    source.replace(at + 1, directive.substr(0, blank));
    source.replace(begin, directive.substr(blank + 1));
    for (std::size_t i = begin + 1; i <= end && i < source.size(); ++i) source.replace(i, "");
}

}  // namespace cuda_on_cpu
