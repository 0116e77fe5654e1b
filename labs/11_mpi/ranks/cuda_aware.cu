// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <mpi.h>

#include "labs/11_mpi/ranks/cuda_aware.hpp"
#if __has_include(<mpi-ext.h>)
// Open MPI: MPIX_CUDA_AWARE_SUPPORT, defined if the function below can be asked
#include <mpi-ext.h>
#endif

#include "common/base/error.hpp"

#ifdef CUDA_ON_CPU
#include "host_access.hpp"

// So the library is CUDA-aware for the emulator's device.
extern "C" int MPIX_Query_cuda_support() { return 1; }

extern "C" int MPI_Sendrecv(const void* from, int sent, MPI_Datatype sent_type, int to,
                            int sent_tag, void* into, int count, MPI_Datatype type, int source,
                            int tag, MPI_Comm comm, MPI_Status* status) {
    const cuda_on_cpu::HostAccess open({from, into});
    return PMPI_Sendrecv(from, sent, sent_type, to, sent_tag, into, count, type, source, tag, comm,
                         status);
}
#endif

namespace convolab::mpi {

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
