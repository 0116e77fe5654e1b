// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/bench.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/supervisor.hpp"
#include "common/measurement/machine.hpp"
#include "common/variant/backend.hpp"

namespace convolab {

Measurement::Measurement(BenchSession& session, const Task& task)
    : session_(session),
      task_(task),
      backend_(session.lab.backend_of(*task.variant)),
      turns_(static_cast<std::size_t>(session.options.rounds)) {
    Row& words = result_.words;
    words = session.tasks.key(task);
    words.merge(Row(session.machine));
    if (backend_.gpus() > 0) words["gpu_clocks"] = session.gpu_clocks;
    words["dirty"] = build_info().dirty ? "1" : "0";
    words["seed"] = std::to_string(session.options.seed);
    if (const auto before = earlier_failure(task.variant->name))
        end("failed", "It " + before->how + " at " + before->job + ", and was not run again.");
    else
        attempt([this] { verify(); });
}

void Measurement::attempt(const std::function<void()>& work) {
    const RunningVariant running(task_.variant->name, describe(task_),
                                 session_.options.limit_s(task_.expected_s));
    try {
        work();
    } catch (const Unsupported& why) {
        end("unsupported", why.what());
    } catch (const Skipped& why) {
        end("skipped", why.what());
    } catch (const std::bad_alloc&) {
        end("skipped", "The machine has not enough memory for it.");
    } catch (const UsageError&) {
        throw;
    } catch (const std::exception& why) {
        end("failed", why.what());
        if (!backend_.works())
            start_again_without(task_.variant->name, describe(task_),
                                std::string("failed (") + why.what() + ")");
    } catch (...) {
        end("failed", kNoException);
    }
}

void Measurement::end(const std::string& status, const std::string& reason) {
    result_.words["status"] = status;
    result_.words["reason"] = reason;
    prepared_.reset();
}

void Measurement::verify() {
    const Case& truth = session_.tasks.truth(task_);
    const Job job = session_.tasks.job(task_, truth.frames);
    const Operation& operation = session_.lab.operation_of(*task_.variant);
    Row& words = result_.words;
    words["bytes"] = std::to_string(operation.bytes(job));
    words["operations"] = std::to_string(operation.operations(job));
    prepared_ = std::make_unique<PreparedVariant>(session_, task_);
    words["layout"] = to_string(output_of(*prepared_->convolver).layout());
    const KernelResources resources = prepared_->convolver->resources();
    words["reason"] = resources.form;
    if (resources.registers) words["registers"] = std::to_string(*resources.registers);
    if (resources.shared_bytes) words["shared_bytes"] = std::to_string(*resources.shared_bytes);
    if (resources.occupancy) result_.numbers["occupancy"] = *resources.occupancy;
    prepared_->require_right_output();
}

double Measurement::kernel_ms() {
    prepared_->convolver->restore_input();
    return backend_.time_ms([this] { prepared_->convolver->run(); });
}

double Measurement::whole_ms() {
    Convolver& convolver = *prepared_->convolver;
    prepared_->next_frame();
    // A copy to the device reads the host's caches, too.
    if (session_.options.cold && backend_.name() != "cpu") cpu_backend().flush_cache();
    const auto start = std::chrono::steady_clock::now();
    convolver.next_frame();
    convolver.run();
    convolver.download();
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    return ms.count() / convolver.frames_per_run();
}

void Measurement::time_copies(int round, Turn& now) {
    Convolver& convolver = *prepared_->convolver;
    const Options& options = session_.options;
    const int runs = runs_of_round(options.iterations, options.rounds, round);
    for (int i = -options.warmup; i < runs && !interrupted(); ++i) {
        prepared_->next_frame();
        const double in_ms = backend_.time_ms([&] { convolver.next_frame(); });
        convolver.run();
        const double out_ms = backend_.time_ms([&] { convolver.download(); });
        if (i < 0) continue;
        now.copy_in.push_back(in_ms);
        now.copy_out.push_back(out_ms);
    }
}

std::vector<double> Measurement::run(int round, const std::function<double()>& once_ms,
                                     std::vector<RankTimes>* ranks) {
    const Options& options = session_.options;
    const bool last_round = round == options.rounds - 1;
    const int runs = runs_of_round(options.iterations, options.rounds, round);
    std::vector<double> ms;
    for (int i = -options.warmup; i < runs && !interrupted(); ++i) {
        if (last_round && i == runs - 1) prepared_->convolver->poison();  // verified again
        if (options.cold) backend_.flush_cache();
        const double once = once_ms();
        if (i < 0) continue;
        ms.push_back(once);
        const auto times = prepared_->convolver->rank_times();
        if (ranks != nullptr && times) ranks->push_back(*times);
    }
    if (last_round && !interrupted()) {
        prepared_->convolver->download();
        try {
            prepared_->require_right_output();
        } catch (const Error& why) {
            throw Error(std::string("after timing: ") + why.what());
        }
    }
    return ms;
}

bool Measurement::turn(int round) {
    if (!is_open()) return false;
    const bool copies = task_.variant->run_copies;
    const int threads = task_.variant->uses & kUsesThreads ? task_.settings.threads : 1;
    const int ranks = task_.variant->uses & kUsesRanks ? task_.settings.ranks : 1;
    bool disturbed = false;
    attempt([&] {
        run_on_first(threads);
        prepared_->convolver->upload();  // constants that another configuration may have replaced
        session_.watch.start(std::max(threads, ranks));
        Turn now;
        if (!copies)
            now.kernel = run(
                round, [this] { return kernel_ms(); }, &now.ranks);
        const bool whole = copies || (backend_.name() != "cpu" && !session_.options.kernel_only);
        if (whole && !copies && !prepared_->clip.empty()) time_copies(round, now);
        if (whole)
            now.total = run(
                round, [this] { return whole_ms(); }, copies ? &now.ranks : nullptr);
        turns_[static_cast<std::size_t>(round)] = std::move(now);
        disturbed = session_.watch.was_disturbed();
        if (backend_.gpus() == 0) return;
        const auto slowed = backend_.are_slowed(prepared_->convolver->devices());
        disturbed = disturbed || slowed.value_or(false);
    });
    return disturbed && is_open();
}

}  // namespace convolab
