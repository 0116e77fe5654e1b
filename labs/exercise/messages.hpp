// SPDX-License-Identifier: MIT
// MPI's calls for messages, in the form that shows an answer's mistakes best. They are called
// instead of the library's, and count what a rank receives. A judge includes this file; MPI's other
// calls are not changed.
//   MPI_Send waits until its message is received. The library's does so for long messages only.
//   MPI_Irecv writes what it received when the rank waits for its request, never before.
//   A call that waits for seconds ends the program with a message.
#pragma once

#include <mpi.h>
#include <unistd.h>

#include <cstring>
#include <numeric>

#include "labs/exercise/exercise.hpp"

namespace convolab::exercise {

struct Received {
    double messages = 0, bytes = 0;
};
static Received received;

/// A message of MPI_Irecv whose request the answer has not waited for.
struct Travelling {
    MPI_Request request;
    void* target;
    std::vector<char> bytes;
};
static std::vector<Travelling> travelling;

inline std::size_t bytes_of(int count, MPI_Datatype type) {
    int size;
    PMPI_Type_size(type, &size);
    return std::size_t(count) * size;
}

/// From another rank.
inline void note_received(int count, MPI_Datatype type, int source) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (source == MPI_PROC_NULL || source == rank) return;
    ++received.messages;
    received.bytes += bytes_of(count, type);
}

/// The message of a request that is done is now where the answer wants it.
inline void deliver(MPI_Request request) {
    for (auto message = travelling.begin(); message != travelling.end(); ++message)
        if (message->request == request) {
            std::memcpy(message->target, message->bytes.data(), message->bytes.size());
            travelling.erase(message);
            break;
        }
}

/// Behind the call of an answer.
inline void require_delivered() {
    require(travelling.empty(),
            "The answer has not waited for each MPI_Irecv, with MPI_Wait, MPI_Waitall or "
            "MPI_Waitany.");
}

/// Waits for a request of `call`, without the library's loop, which would keep other ranks from
/// running.
inline int wait_for(MPI_Request* request, MPI_Status* status, const char* call) {
    const double begin = PMPI_Wtime();
    for (int done = 0;;) {
        const int error = PMPI_Test(request, &done, status);
        if (error != MPI_SUCCESS || done) return error;
        if (PMPI_Wtime() - begin > 3) {
            int rank;
            PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
            complain("Rank " + std::to_string(rank) + " waits in " + call +
                     ", and its partner does not answer.");
        }
        usleep(20);
    }
}

}  // namespace convolab::exercise

extern "C" {

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    MPI_Request request;
    PMPI_Issend(data, count, type, to, tag, comm, &request);
    return convolab::exercise::wait_for(&request, MPI_STATUS_IGNORE, "MPI_Send");
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    MPI_Request request;
    convolab::exercise::note_received(count, type, from);
    PMPI_Irecv(data, count, type, from, tag, comm, &request);
    return convolab::exercise::wait_for(&request, status, "MPI_Recv");
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* target,
                 int target_count, MPI_Datatype target_type, int from, int from_tag, MPI_Comm comm,
                 MPI_Status* status) {
    MPI_Request sent, arrived;
    convolab::exercise::note_received(target_count, target_type, from);
    PMPI_Irecv(target, target_count, target_type, from, from_tag, comm, &arrived);
    PMPI_Isend(data, count, type, to, tag, comm, &sent);
    convolab::exercise::wait_for(&sent, MPI_STATUS_IGNORE, "MPI_Sendrecv");
    return convolab::exercise::wait_for(&arrived, status, "MPI_Sendrecv");
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    using namespace convolab::exercise;
    note_received(count, type, from);
    std::vector<char> bytes(bytes_of(std::max(count, 0), type));
    const int error = PMPI_Irecv(bytes.data(), count, type, from, tag, comm, request);
    if (from != MPI_PROC_NULL) travelling.push_back({*request, data, std::move(bytes)});
    return error;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    using namespace convolab::exercise;
    const MPI_Request waited = *request;
    const int error = wait_for(request, status, "MPI_Wait");
    if (error == MPI_SUCCESS) deliver(waited);
    return error;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < count && error == MPI_SUCCESS; ++i)
        error = MPI_Wait(&requests[i],
                         statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
    return error;
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    const std::vector<MPI_Request> waited(requests, requests + count);
    const int error = PMPI_Waitany(count, requests, index, status);
    if (error == MPI_SUCCESS && *index != MPI_UNDEFINED)
        convolab::exercise::deliver(waited[*index]);
    return error;
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int from, MPI_Comm comm) {
    convolab::exercise::note_received(count, type, from);
    return PMPI_Bcast(data, count, type, from, comm);
}

int MPI_Scatter(const void* data, int sent, MPI_Datatype sent_type, void* target, int count,
                MPI_Datatype type, int from, MPI_Comm comm) {
    convolab::exercise::note_received(count, type, from);
    return PMPI_Scatter(data, sent, sent_type, target, count, type, from, comm);
}

int MPI_Scatterv(const void* data, const int* counts, const int* places, MPI_Datatype sent_type,
                 void* target, int count, MPI_Datatype type, int from, MPI_Comm comm) {
    convolab::exercise::note_received(count, type, from);
    return PMPI_Scatterv(data, counts, places, sent_type, target, count, type, from, comm);
}

int MPI_Gatherv(const void* data, int count, MPI_Datatype type, void* target, const int* counts,
                const int* places, MPI_Datatype target_type, int to, MPI_Comm comm) {
    using namespace convolab::exercise;
    int rank, ranks;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    for (int from = 0; from < ranks && rank == to; ++from)
        note_received(counts[from], target_type, from);
    return PMPI_Gatherv(data, count, type, target, counts, places, target_type, to, comm);
}

int MPI_Gather(const void* data, int count, MPI_Datatype type, void* target, int target_count,
               MPI_Datatype target_type, int to, MPI_Comm comm) {
    int ranks;
    PMPI_Comm_size(comm, &ranks);
    std::vector<int> counts(ranks, target_count), places(ranks);
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    return MPI_Gatherv(data, count, type, target, counts.data(), places.data(), target_type, to,
                       comm);
}

int MPI_Allgatherv(const void* data, int count, MPI_Datatype type, void* target, const int* counts,
                   const int* places, MPI_Datatype target_type, MPI_Comm comm) {
    int ranks;
    PMPI_Comm_size(comm, &ranks);
    for (int from = 0; from < ranks; ++from)
        convolab::exercise::note_received(counts[from], target_type, from);
    return PMPI_Allgatherv(data, count, type, target, counts, places, target_type, comm);
}
}
