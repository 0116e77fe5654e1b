// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <mpi.h>

#include "labs/11_mpi/ranks/cuda_aware.hpp"
#if __has_include(<mpi-ext.h>)
// Open MPI: MPIX_CUDA_AWARE_SUPPORT, defined if the function below can be asked
#include <mpi-ext.h>
#endif

#include "common/base/error.hpp"
#include "labs/11_mpi/ranks/requests.hpp"

#ifdef CUDA_ON_CPU
#include "host_access.hpp"

// So the library is CUDA-aware for the emulator's device.
extern "C" int MPIX_Query_cuda_support() { return 1; }
#endif

namespace convolab::mpi {

#ifdef CUDA_ON_CPU
[[maybe_unused]] static const bool is_opened = [] {
    open_to_mpi = [](const void* from, const void* to) -> std::shared_ptr<void> {
        return std::make_shared<cuda_on_cpu::HostAccess>(std::vector<const void*>{from, to});
    };
    return true;
}();
#endif

void require_cuda_aware_mpi() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) || defined(CUDA_ON_CPU)
    if (MPIX_Query_cuda_support() == 1) return;
#endif
    throw MissingLibrary(
        "This MPI library is not CUDA-aware: it cannot send the memory of a GPU; use a cluster's "
        "module of a "
        "CUDA-aware MPI, or Open MPI configured with --with-cuda (Debian's and Ubuntu's package is "
        "not), build "
        "with its mpicxx (make MPICXX=/path/to/mpicxx) and put its mpirun first on the PATH.");
}

}  // namespace convolab::mpi
