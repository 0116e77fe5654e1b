// SPDX-License-Identifier: MIT
// MPI's calls that would bring an answer data that messages.hpp does not count: each ends the
// program with a message. Their parameters do not matter, so they have other names for the compiler.
#pragma once

#include "common/exercise/exercise.hpp"

#ifdef CONVOLAB_ANSWER
// NOLINTBEGIN(readability-identifier-naming): the library's names
#define CONVOLAB_REFUSE(name, other)                                                              \
    extern "C" void convolab_##name() asm(#name);                                                 \
    void convolab_##name() {                                                                      \
        convolab::exercise::complain("this exercise does not support " #name "; use " other "."); \
    }
#define CONVOLAB_REFUSE_DATA(name) \
    CONVOLAB_REFUSE(name, "MPI_Send, MPI_Recv, MPI_Sendrecv, MPI_Scatterv or MPI_Gatherv")
#define CONVOLAB_REFUSE_WAIT(name) CONVOLAB_REFUSE(name, "MPI_Wait or MPI_Waitall")
CONVOLAB_REFUSE_DATA(MPI_Allgather)
CONVOLAB_REFUSE_DATA(MPI_Allreduce)
CONVOLAB_REFUSE_DATA(MPI_Alltoall)
CONVOLAB_REFUSE_DATA(MPI_Alltoallv)
CONVOLAB_REFUSE_DATA(MPI_Alltoallw)
CONVOLAB_REFUSE_DATA(MPI_Reduce)
CONVOLAB_REFUSE_DATA(MPI_Ibcast)
CONVOLAB_REFUSE_DATA(MPI_Igather)
CONVOLAB_REFUSE_DATA(MPI_Igatherv)
CONVOLAB_REFUSE_DATA(MPI_Iscatter)
CONVOLAB_REFUSE_DATA(MPI_Iscatterv)
CONVOLAB_REFUSE_DATA(MPI_Iallgather)
CONVOLAB_REFUSE_DATA(MPI_Iallgatherv)
CONVOLAB_REFUSE_DATA(MPI_Ialltoall)
CONVOLAB_REFUSE_DATA(MPI_Ialltoallv)
CONVOLAB_REFUSE_DATA(MPI_Sendrecv_replace)
CONVOLAB_REFUSE_DATA(MPI_Recv_init)
CONVOLAB_REFUSE_DATA(MPI_Mrecv)
CONVOLAB_REFUSE_DATA(MPI_Imrecv)
CONVOLAB_REFUSE_DATA(MPI_Win_allocate)
CONVOLAB_REFUSE_DATA(MPI_Win_allocate_shared)
CONVOLAB_REFUSE_DATA(MPI_Win_create)
CONVOLAB_REFUSE_DATA(MPI_File_open)
CONVOLAB_REFUSE_WAIT(MPI_Test)
CONVOLAB_REFUSE_WAIT(MPI_Testall)
CONVOLAB_REFUSE_WAIT(MPI_Testany)
CONVOLAB_REFUSE_WAIT(MPI_Testsome)
CONVOLAB_REFUSE_WAIT(MPI_Waitany)
CONVOLAB_REFUSE_WAIT(MPI_Waitsome)
#undef CONVOLAB_REFUSE_WAIT
#undef CONVOLAB_REFUSE_DATA
#undef CONVOLAB_REFUSE
// NOLINTEND(readability-identifier-naming)
#endif
