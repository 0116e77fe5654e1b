// SPDX-License-Identifier: MIT
// Lab 11: one picture on several processes that share no memory. The variants are listed in reading
// order; each is defined in the file with its name.
#include "common/cuda/backend.hpp"
#include "common/variant/lab.hpp"
#include "labs/11_mpi/ranks/backend.hpp"
#include "labs/11_mpi/ranks/passes.hpp"
#include "labs/11_mpi/ranks/start.hpp"
#include "labs/11_mpi/variants.hpp"

int main(int argc, char** argv) {
    using namespace convolab::mpi;
    return run_on_ranks(argc, argv,
                        {"11_mpi",
                         {&scatter, &halo, &overlap, &wide_halo, &grid, &io, &gpu, &gpu_overlap,
                          &gpu_direct, &gpu_nccl},
                         &on_ranks(convolab::gpu_backend()),
                         passes_of_a_filter(),
                         convolab::gpu_backend().is_timed() ? &gpu_overlap : &overlap});
}
