// SPDX-License-Identifier: MIT
// open_requests CASE, on two ranks: lab 11's messages about a request without a wait, and about
// ranks that wait for each other (test_ranks.py).
#include <mpi.h>

#include <exception>
#include <iostream>
#include <string>

#include "labs/11_mpi/ranks/requests.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const std::string which = argv[1];
    int rank = 0, value = 0, other = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    convolab::mpi::tell_long_waits(1);
    const int peer = 1 - rank;
    MPI_Irecv(&value, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&other, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &requests[2]);
    if (which == "hang" && rank == 1)
        MPI_Recv(&other, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (which == "open" && rank == 1) {
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    } else if (which == "tested") {
        for (int done = 0; done == 0;) MPI_Testall(3, requests, &done, MPI_STATUSES_IGNORE);
    } else {
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
    int code = 0;
    try {
        convolab::mpi::require_no_open_requests();
    } catch (const std::exception& error) {
        std::cerr << "Rank " << rank << ": " << error.what() << std::endl;
        code = 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return code;
}
