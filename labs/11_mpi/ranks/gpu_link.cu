// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "common/base/error.hpp"
#include "common/cuda/device.hpp"
#include "labs/11_mpi/ranks/gpu_link.hpp"

#ifdef CUDA_ON_CPU
#include "host_access.hpp"
#elif defined(CONVOLAB_NCCL)
#include <nccl.h>
#endif

namespace convolab::mpi {

#ifdef CUDA_ON_CPU

// Every rank has its own emulated device.
void GpuLink::require(const RankJob&) {}

GpuLink::GpuLink(const RankJob& job) : ranks_(job.comm) {}

void GpuLink::exchange(const std::vector<Message>& sent, const std::vector<Message>& received,
                       std::size_t bytes, const Stream& stream) const {
    using Work = std::function<void()>;
    auto work = std::make_unique<Work>([=, ranks = ranks_] {
        constexpr int kTag = 12;
        std::vector<const void*> used;
        for (const auto* messages : {&sent, &received})
            for (const Message& message : *messages) used.push_back(message.d_bytes);
        const cuda_on_cpu::HostAccess open(used);
        std::vector<MPI_Request> requests(used.size());
        MPI_Request* request = requests.data();
        for (const auto& [d_bytes, rank] : received)
            MPI_Irecv(d_bytes, static_cast<int>(bytes), MPI_BYTE, rank, kTag, ranks, request++);
        for (const auto& [d_bytes, rank] : sent)
            MPI_Isend(d_bytes, static_cast<int>(bytes), MPI_BYTE, rank, kTag, ranks, request++);
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    });
    const auto call = [](void* given) {
        const std::unique_ptr<Work> own(static_cast<Work*>(given));
        (*own)();
    };
    CUDA_CHECK(cudaLaunchHostFunc(stream.get(), call, work.get()));
    work.release();
}

#elif defined(CONVOLAB_NCCL)

namespace {

void check_nccl(ncclResult_t result, const char* call) {
    if (result == ncclSuccess) return;
    throw Error(std::string(call) + " failed: " + ncclGetErrorString(result) + ": " +
                ncclGetLastError(nullptr) + " (NCCL_DEBUG=WARN says more).");
}
#define NCCL_CHECK(call) check_nccl((call), #call)

/// For the first n ranks; kept to the end, because it takes long to make.
ncclComm_t link_of(const RankJob& job) {
    static std::map<int, ncclComm_t> made;
    const auto found = made.find(job.ranks());
    if (found != made.end()) return found->second;
    ncclUniqueId id{};
    if (job.rank == 0) NCCL_CHECK(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, job.comm);
    ncclComm_t link = nullptr;
    NCCL_CHECK(ncclCommInitRank(&link, job.ranks(), id, job.rank));
    return made[job.ranks()] = link;
}

}  // namespace

void GpuLink::require(const RankJob& job) {
    require_device();
    const int gpus = device_count();
    const int ranks = std::min(job.ranks(), ranks_on_machine());
    if (ranks > gpus)
        throw UnfitSetting("NCCL needs a GPU for each rank: this machine has " +
                           std::to_string(ranks) + " ranks and fewer GPUs; use at most " +
                           std::to_string(gpus) + " ranks per machine.");
}

GpuLink::GpuLink(const RankJob& job) : nccl_(job.ranks() > 1 ? link_of(job) : nullptr) {}

void GpuLink::exchange(const std::vector<Message>& sent, const std::vector<Message>& received,
                       std::size_t bytes, const Stream& stream) const {
    NCCL_CHECK(ncclGroupStart());
    for (const auto& [d_bytes, rank] : sent)
        if (rank != MPI_PROC_NULL)
            NCCL_CHECK(ncclSend(d_bytes, bytes, ncclUint8, rank, nccl_, stream.get()));
    for (const auto& [d_bytes, rank] : received)
        if (rank != MPI_PROC_NULL)
            NCCL_CHECK(ncclRecv(d_bytes, bytes, ncclUint8, rank, nccl_, stream.get()));
    NCCL_CHECK(ncclGroupEnd());
}

#else

void GpuLink::require(const RankJob&) {
    throw MissingLibrary(
        "This program was built without NCCL; install libnccl-dev from NVIDIA's package "
        "repository, or name "
        "the folder with its include/nccl.h and lib/libnccl.so, and build again: make "
        "NCCL=/path/to/nccl.");
}
GpuLink::GpuLink(const RankJob&) : nccl_(nullptr) { static_cast<void>(nccl_); }
void GpuLink::exchange(const std::vector<Message>&, const std::vector<Message>&, std::size_t,
                       const Stream&) const {}

#endif

}  // namespace convolab::mpi
