// SPDX-License-Identifier: MIT
#include "common/driver/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/interrupts.hpp"
#include "common/driver/memory.hpp"
#include "common/driver/rounds.hpp"
#include "common/driver/supervisor.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "common/measurement/machine.hpp"
#include "common/variant/backend.hpp"

namespace convolab {
namespace {

/// Nothing if there are no samples.
std::optional<Statistics> statistics_of(const std::vector<double>& samples) {
    if (samples.empty()) return {};
    return statistics(samples);
}

void put_times(Row& row, const std::string& name, const Statistics& s) {
    row[name + "_median"] = to_decimal(s.median);
    if (s.median_interval) {
        row[name + "_median_low"] = to_decimal(s.median_interval->low);
        row[name + "_median_high"] = to_decimal(s.median_interval->high);
    }
    row[name + "_p05"] = to_decimal(s.p05);
    row[name + "_p95"] = to_decimal(s.p95);
}

/// "1" if the median is uncertain by over 5 %; "" if the runs are too few to tell.
std::string noisy(const Statistics& time) {
    constexpr double kUncertaintyLimit = 0.05;
    const auto uncertainty = time.median_uncertainty();
    return !uncertainty ? "" : *uncertainty > kUncertaintyLimit ? "1" : "0";
}

/// The CPUs in the order in which threads are pinned, those next to the GPU first.
std::vector<int> order_of_cpus(const Lab& lab) {
    std::vector<int> order = pin_order(allowed_cpus(), cpus_of_machine());
    const std::vector<int> near = lab.backend->near_cpus();
    std::stable_partition(order.begin(), order.end(), [&](int cpu) {
        return std::find(near.begin(), near.end(), cpu) != near.end();
    });
    return order;
}

std::vector<Image> clip_of(BenchSession& session, const Task& task, const Case& truth) {
    if (truth.frames.size() != 2) return {};
    std::vector<Image> clip;
    for (const Image& frame : truth.frames)
        if (task.variant->pinned_frames)
            clip.push_back(session.lab.backend_of(*task.variant).pinned(frame));
        else
            clip.push_back(frame.copy());
    return clip;
}

}  // namespace

BenchSession::BenchSession(const Lab& lab, const Options& options, Tasks& tasks)
    : lab(lab), options(options), tasks(tasks) {
    if (options.pinning != "off") pin_threads(order_of_cpus(lab));
}

PreparedVariant::PreparedVariant(BenchSession& session, const Task& task)
    : truth(session.tasks.truth(task)),
      clip(clip_of(session, task, truth)),
      job(session.tasks.job(task, clip.empty() ? truth.frames : clip)) {
    require_memory(session.lab, *task.variant, job);
    convolver = make_convolver(*task.variant, job);
}

void PreparedVariant::next_frame() {
    if (clip.empty()) return;
    std::swap(clip[0], clip[1]);
    backward = !backward;
}

void PreparedVariant::require_right_output() {
    const Comparison comparison =
        compare(convolver->result(), backward ? truth.backward : truth.expected);
    if (!comparison.identical()) throw Error(describe(comparison));
}

bool fits_in_group(BenchSession& session, const Task& task) {
    try {
        const Case& truth = session.tasks.truth(task);
        const Job job = session.tasks.job(task, truth.frames);
        const MemoryNeed need = memory_need(*task.variant, job);
        const auto device = session.lab.backend_of(*task.variant).device_memory_free();
        return need.host <= memory_free() / 2 && (!device || need.device <= *device / 2);
    } catch (const Error&) {  // its row will say why
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

Measurement::Measurement(BenchSession& session, const Task& task)
    : session_(session), task_(task), backend_(session.lab.backend_of(*task.variant)) {
    Row& words = result_.words;
    words = session.tasks.key(task);
    words.merge(Row(session.machine));
    if (backend_.gpus() > 0) {
        words["gpu_clocks"] = session.gpu_clocks;
        words["gpu_uuid"] = session.gpu_uuid;
    }
    words["dirty"] = build_info().dirty ? "1" : "0";
    words["seed"] = std::to_string(session.options.seed);
    if (const auto before = earlier_failure(task.variant->name))
        end("failed", "It " + before->how + " at " + before->job + ", and was not run again.");
    else
        attempt(session.tasks.expected_s(task), [this] { verify(); });
}

void Measurement::attempt(double expected_s, const std::function<void()>& work) {
    const RunningVariant running(task_.variant->name, describe(task_),
                                 session_.options.limit_s(expected_s));
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
    const auto start = std::chrono::steady_clock::now();
    words["layout"] = to_string(output_of(*prepared_->convolver).layout());
    once_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

void Measurement::time_copies(int round) {
    Convolver& convolver = *prepared_->convolver;
    const Options& options = session_.options;
    const int runs = runs_of_round(options.iterations, options.rounds, round);
    for (int i = -options.warmup; i < runs && !interrupted(); ++i) {
        prepared_->next_frame();
        const double in_ms = backend_.time_ms([&] { convolver.next_frame(); });
        convolver.run();
        const double out_ms = backend_.time_ms([&] { convolver.download(); });
        if (i < 0) continue;
        times_.copy_in.push_back(in_ms);
        times_.copy_out.push_back(out_ms);
    }
}

void Measurement::run(int round, const std::function<double()>& once_ms,
                      std::vector<double>& all_ms, bool keeps_ranks) {
    const Options& options = session_.options;
    const bool last_round = round == options.rounds - 1;
    const int runs = runs_of_round(options.iterations, options.rounds, round);
    for (int i = -options.warmup; i < runs && !interrupted(); ++i) {
        if (last_round && i == runs - 1) prepared_->convolver->poison();  // verified again
        if (options.cold) backend_.flush_cache();
        const double ms = once_ms();
        if (i < 0) continue;
        all_ms.push_back(ms);
        const auto ranks = prepared_->convolver->rank_times();
        if (!keeps_ranks || !ranks) continue;
        times_.compute.push_back(ranks->compute_ms);
        times_.exchange.push_back(ranks->exchange_ms);
        times_.wait.push_back(ranks->wait_ms);
    }
    if (last_round && !interrupted()) {
        prepared_->convolver->download();
        try {
            prepared_->require_right_output();
        } catch (const Error& why) {
            throw Error(std::string("after timing: ") + why.what());
        }
    }
}

void Measurement::turn(int round) {
    if (!is_open()) return;
    const Options& options = session_.options;
    const bool copies = task_.variant->run_copies;
    const int threads = task_.variant->uses & kUsesThreads ? task_.settings.threads : 1;
    const int runs = options.warmup + runs_of_round(options.iterations, options.rounds, round);
    attempt(3 * runs * once_s_, [&] {
        run_on_first(threads);
        prepared_->convolver->upload();  // constants that another configuration may have replaced
        if (!copies)
            run(
                round, [this] { return kernel_ms(); }, times_.kernel, true);
        if (!copies && (backend_.name() == "cpu" || options.kernel_only)) return;
        if (!copies && !prepared_->clip.empty()) time_copies(round);
        run(
            round, [this] { return whole_ms(); }, times_.total, copies);
    });
}

BenchResult Measurement::finish(std::size_t in_round, const std::optional<CopySpeed>& copy) {
    if (prepared_ == nullptr) return result_;
    Row& words = result_.words;
    words["status"] = "ok";
    if (!backend_.is_timed()) return result_;
    words["in_round"] = std::to_string(in_round);
    result_.kernel_ms = statistics_of(times_.kernel);
    result_.total_ms = statistics_of(times_.total);
    if (!result_.total_ms && backend_.name() == "cpu") result_.total_ms = result_.kernel_ms;
    for (const auto& [column, samples] : {std::pair{"copy_in_ms", &times_.copy_in},
                                          {"copy_out_ms", &times_.copy_out},
                                          {"compute_ms", &times_.compute},
                                          {"exchange_ms", &times_.exchange},
                                          {"wait_ms", &times_.wait}})
        if (const auto ms = statistics_of(*samples)) result_.numbers[column] = ms->median;
    attempt(0, [&] { fill_rates(result_.time().median, copy); });
    return result_;
}

void Measurement::fill_rates(double ms, const std::optional<CopySpeed>& copy) {
    const Operation& operation = session_.lab.operation_of(*task_.variant);
    const int devices = prepared_->convolver->devices();
    auto& numbers = result_.numbers;
    double ceiling = 0;
    if (task_.variant->run_copies || task_.variant->pinned_frames) {
        const BusSpeed speed = backend_.bus_speed(devices);
        numbers["bus_in_gb_per_s"] = speed.in;
        numbers["bus_out_gb_per_s"] = speed.out;
        numbers["bus_both_gb_per_s"] = ceiling = speed.both;
    }
    if (!task_.variant->run_copies) {
        const CopySpeed speed = needs_cpu_copy() && copy ? *copy : backend_.copy_speed();
        numbers["copy_gb_per_s"] = speed.gb_per_s;
        result_.words["copy_how"] = speed.how;
        ceiling = devices * speed.gb_per_s;
    }
    const double gb_per_s = static_cast<double>(operation.bytes(prepared_->job)) / (ms * 1e6);
    numbers["gb_per_s"] = gb_per_s;
    result_.ceiling_share = gb_per_s / ceiling;
}

Row BenchResult::row() const {
    Row row = words;
    for (const auto& [column, number] : numbers) row[column] = to_decimal(number);
    if (kernel_ms) put_times(row, "kernel_ms", *kernel_ms);
    if (total_ms) put_times(row, "total_ms", *total_ms);
    if (kernel_ms || total_ms) row["noisy"] = noisy(time());
    return row;
}

std::string BenchResult::text() const {
    if (words.at("status") != "ok") return words.at("status") + ": " + words.at("reason");
    if (!kernel_ms && !total_ms)
        return "identical to the reference (an emulator's time means nothing)";
    const Statistics& ms = time();
    std::string text = to_digits(ms.median, 4) + " ms (" + to_digits(ms.p05, 4) + " to " +
                       to_digits(ms.p95, 4) + ')';
    if (ceiling_share) {
        char share[40];
        std::snprintf(share, sizeof share, "%.1f", 100 * *ceiling_share);
        text += ", " + to_digits(numbers.at("gb_per_s"), 3) + " GB/s, " + share + " % of " +
                (kernel_ms ? "a copy" : "the bus") +
                (kernel_ms && *ceiling_share > 1 ? " (from a cache)" : "");
    }
    return text + (noisy(ms) == "1" ? ", noisy" : "");
}

}  // namespace convolab
