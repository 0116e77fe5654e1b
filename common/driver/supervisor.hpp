// SPDX-License-Identifier: MIT
// A variant that crashes, or never ends, costs no other variant its row. verify and bench run in a
// child process, which notes what it runs in memory that the parent reads. If the child ends in the
// middle of a variant, the parent starts another child, which leaves that variant out. If several
// ran at once, the next child first runs one at a time, to find which it was.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace convolab {

/// Runs command() in a child process, again after each variant that ended it. Gives the exit code
/// of the last child; explain: gets it, and gives the one to return, where the command becomes
/// another program and nothing was handed over.
int supervise(
    const std::string& lab, const std::function<int()>& command,
    const std::function<int(int code)>& explain = [](int code) { return code; });

/// As long as it exists, this thread runs a variant.
class RunningVariant {
  public:
    /// job: a text for the message. limit_s: after this many seconds the variant has failed.
    RunningVariant(const std::string& variant, const std::string& job, double limit_s);
    ~RunningVariant();
    RunningVariant(const RunningVariant&) = delete;
    RunningVariant& operator=(const RunningVariant&) = delete;
};

/// How a variant ended an earlier child.
struct EarlierFailure {
    std::string job;  ///< the text that RunningVariant got
    std::string how;  ///< "crashed (Segmentation fault)", "did not end within 60 s"
};
/// Empty if it ended none.
std::optional<EarlierFailure> earlier_failure(const std::string& variant);

/// Whether threads must not run two variants at once: an earlier child ended, and it was not known
/// in which.
bool is_one_at_a_time();

/// False: an earlier child has written rows.
bool is_first_child();

/// Ends this process, and with it its GPU context, which an error has made useless. The next child
/// leaves the variant out. Returns where there is no supervisor.
void start_again_without(const std::string& variant, const std::string& job,
                         const std::string& how);

/// The exit code for the parent, whatever the programs between report. Returns 0; without a
/// supervisor `code`.
int hand_over(int code);

}  // namespace convolab
