// SPDX-License-Identifier: MIT
// A variant that crashes, or never ends, costs no other variant its row. verify and bench run in a
// child process, which notes what each thread runs in memory that the parent reads. If the child
// ends in the middle of a variant, or a variant exceeds its time limit, the parent starts another
// child, which leaves that variant out and continues with the rest.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace convolab {

/// Of a command that becomes another program, which starts its own processes (lab 11: mpirun).
struct Family {
    double patience_s = 0;  ///< what it gets to end its processes before it is killed; 0: no family
    /// Says how it has ended (128 + the signal that ended it) and gives the exit code.
    std::function<int(int code)> explain = [](int code) { return code; };
};

/// Runs command() in a child process, again after each variant that ended it. Gives the exit code
/// of the last child.
int supervise(const std::string& lab, const std::function<int()>& command,
              const Family& family = {});

/// As long as it exists, this thread runs a variant.
class RunningVariant {
  public:
    /// job: a text for the message. limit_s: after this many seconds the variant has failed.
    RunningVariant(const std::string& variant, const std::string& job, double limit_s);
    ~RunningVariant();
    RunningVariant(const RunningVariant&) = delete;
    RunningVariant& operator=(const RunningVariant&) = delete;

  private:
    struct ThreadSlot* slot_;  // nullptr: there is no supervisor
};

/// How a variant ended an earlier child.
struct EarlierFailure {
    std::string job;  ///< the text that RunningVariant got
    std::string how;  ///< "crashed (Segmentation fault)", "did not end within 60 s"
};
/// Empty if it ended none.
std::optional<EarlierFailure> earlier_failure(const std::string& variant);

/// Whether threads must not run two variants at once: an earlier child crashed, and it was not
/// known in which.
bool is_one_at_a_time();

/// The number of a configuration of bench whose row was written by an earlier child.
bool is_finished(std::size_t number);
void set_finished(std::size_t number);

/// Ends this process, and with it its GPU context, which an error has made useless. The next child
/// leaves the variant out. Returns where there is no supervisor.
void start_again_without(const std::string& variant, const std::string& job,
                         const std::string& how);

/// The exit code for the parent, whatever the programs between report. Returns 0; without a
/// supervisor `code`.
int hand_over(int code);

// What the parent shares with its child, and with the processes that a child starts (lab 11).

/// What one thread runs.
struct ThreadSlot {
    std::atomic<bool> busy;
    std::atomic<double> ends_at_s;
    double limit_s;
    char variant[64];
    char job[1000];
};

struct FailedVariant {
    char variant[64];
    char job[1000];
    char how[1000];
};

/// The system fills it with zeros.
struct Shared {
    ThreadSlot slots[256];
    FailedVariant failed[64];
    std::atomic<std::size_t> failed_count;
    std::atomic<bool> one_at_a_time;
    std::atomic<bool> has_exit_code;
    std::atomic<int> exit_code;  ///< what was handed over
    std::atomic<unsigned char> finished[1 << 16];
};

/// nullptr if there is no supervisor, or if it was not looked up yet (supervised.cpp).
extern Shared* shared;

/// Sets `shared`, and the variable of the environment by which processes of the child find it. The
/// file that holds it, for drop_shared_memory().
int make_shared_memory();
void drop_shared_memory(int file);

/// False: there is no room for more of them, or the variant has failed before.
bool note_failure(const std::string& variant, const std::string& job, const std::string& how);

/// On the clock of ThreadSlot::ends_at_s.
double now_s();

}  // namespace convolab
