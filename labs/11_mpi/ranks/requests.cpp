// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/requests.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/base/error.hpp"

namespace convolab::mpi {
namespace {

using Clock = std::chrono::steady_clock;

struct Request {
    MPI_Request handle;
    std::string call;  ///< "MPI_Irecv from "
    int peer, tag;
    long long bytes;
};

/// What this rank does; a thread reads it to find long waits.
struct State {
    struct Call {
        const char* name = nullptr;  ///< nothing: it does not wait
        int from = MPI_PROC_NULL, to = MPI_PROC_NULL;
        Clock::time_point since = Clock::now();
        bool is_told = false;
    };
    std::mutex mutex;
    std::vector<Request> open;
    Call call;
};
State& state() {
    static State& all = *new State;  // the thread that looks never ends
    return all;
}

std::string rank_name(int rank) {
    return rank == MPI_ANY_SOURCE ? "any rank" : "rank " + std::to_string(rank);
}

std::string text_of(const Request& request) {
    return request.call + rank_name(request.peer) + " (tag " + std::to_string(request.tag) + ", " +
           std::to_string(request.bytes) + " bytes)";
}

void begin(const char* call, int peer, int tag, int count, MPI_Datatype type, MPI_Request handle) {
    if (peer == MPI_PROC_NULL) return;  // nothing to wait for
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    const std::lock_guard lock(state().mutex);
    state().open.push_back({handle, call, peer, tag, 1LL * count * bytes});
}

/// A call that may end requests: those whose handles it has set to MPI_REQUEST_NULL.
class Ending {
  public:
    Ending(int count, MPI_Request* requests)
        : now_(requests), before_(requests, requests + count) {}
    ~Ending() {
        const std::lock_guard lock(state().mutex);
        std::vector<Request>& open = state().open;
        for (std::size_t i = 0; i < before_.size(); ++i) {
            if (now_[i] != MPI_REQUEST_NULL) continue;
            const auto found = std::ranges::find(open, before_[i], &Request::handle);
            if (found != open.end()) open.erase(found);
        }
    }
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;

  private:
    MPI_Request* now_;
    std::vector<MPI_Request> before_;
};

/// As long as it exists, this rank waits in a call.
class Waiting {
  public:
    explicit Waiting(const char* call, int from = MPI_PROC_NULL, int to = MPI_PROC_NULL) {
        const std::lock_guard lock(state().mutex);
        state().call = {call, from, to};
    }
    ~Waiting() {
        const std::lock_guard lock(state().mutex);
        state().call = {};
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
};

/// For whom, while the mutex is locked.
std::string awaited(const State& now) {
    std::string text;
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
    if (now.call.from != MPI_PROC_NULL) add("a message from " + rank_name(now.call.from));
    if (now.call.to != MPI_PROC_NULL) add(rank_name(now.call.to) + " to receive one");
    for (const Request& request : now.open) add(text_of(request));
    return text.empty() ? "the other ranks" : text;
}

}  // namespace

void require_no_open_requests() {
    const std::lock_guard lock(state().mutex);
    std::vector<Request>& open = state().open;
    if (open.empty()) return;
    std::string which = text_of(open.front());
    if (open.size() > 1) which += " and " + std::to_string(open.size() - 1) + " more requests";
    open.clear();
    throw Error("nobody waits for " + which +
                "; call MPI_Wait or MPI_Waitall before run() returns.");
}

void tell_long_waits(double seconds) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::thread([seconds, rank] {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds / 4));
            State& now = state();
            const std::lock_guard lock(now.mutex);
            const std::chrono::duration<double> waited = Clock::now() - now.call.since;
            if (!now.call.name || now.call.is_told || waited.count() < seconds) continue;
            now.call.is_told = true;
            std::cerr << "Rank " + std::to_string(rank) + " has waited for " +
                             std::to_string(static_cast<int>(waited.count())) + " s in " +
                             now.call.name + " for " + awaited(now) + ".\n";
        }
    }).detach();
}

}  // namespace convolab::mpi

using namespace convolab::mpi;

extern "C" {

int MPI_Isend(const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int error = PMPI_Isend(from, count, type, to, tag, comm, request);
    begin("MPI_Isend to ", to, tag, count, type, *request);
    return error;
}
int MPI_Irecv(void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int error = PMPI_Irecv(into, count, type, from, tag, comm, request);
    begin("MPI_Irecv from ", from, tag, count, type, *request);
    return error;
}

#define ENDS(name, parameters, count, requests, arguments) \
    int MPI_##name parameters {                            \
        const Ending ending(count, requests);              \
        const Waiting waiting("MPI_" #name);               \
        return PMPI_##name arguments;                      \
    }
ENDS(Wait, (MPI_Request * r, MPI_Status* s), 1, r, (r, s))
ENDS(Waitall, (int n, MPI_Request r[], MPI_Status s[]), n, r, (n, r, s))
ENDS(Waitany, (int n, MPI_Request r[], int* i, MPI_Status* s), n, r, (n, r, i, s))
ENDS(Waitsome, (int n, MPI_Request r[], int* k, int i[], MPI_Status s[]), n, r, (n, r, k, i, s))
ENDS(Test, (MPI_Request * r, int* f, MPI_Status* s), 1, r, (r, f, s))
ENDS(Testall, (int n, MPI_Request r[], int* f, MPI_Status s[]), n, r, (n, r, f, s))
ENDS(Testany, (int n, MPI_Request r[], int* i, int* f, MPI_Status* s), n, r, (n, r, i, f, s))
ENDS(Testsome, (int n, MPI_Request r[], int* k, int i[], MPI_Status s[]), n, r, (n, r, k, i, s))
ENDS(Request_free, (MPI_Request * r), 1, r, (r))
#undef ENDS

int MPI_Send(const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    const Waiting waiting("MPI_Send", MPI_PROC_NULL, to);
    return PMPI_Send(from, count, type, to, tag, comm);
}
int MPI_Recv(void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    const Waiting waiting("MPI_Recv", from);
    return PMPI_Recv(into, count, type, from, tag, comm, status);
}
int MPI_Sendrecv(const void* from, int sent, MPI_Datatype sent_type, int to, int sent_tag,
                 void* into, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                 MPI_Status* status) {
    const Waiting waiting("MPI_Sendrecv", source, to);
    const auto open = open_to_mpi ? open_to_mpi(from, into) : nullptr;
    return PMPI_Sendrecv(from, sent, sent_type, to, sent_tag, into, count, type, source, tag, comm,
                         status);
}
int MPI_Barrier(MPI_Comm comm) {
    const Waiting waiting("MPI_Barrier");
    return PMPI_Barrier(comm);
}

}  // extern "C"
