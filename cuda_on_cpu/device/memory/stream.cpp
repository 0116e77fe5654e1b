// SPDX-License-Identifier: MIT
#include "device/memory/stream.hpp"

#include <algorithm>
#include <map>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/settings.hpp"

namespace cuda_on_cpu {
namespace {

struct Streams {
    // The default streams first, then the per-thread streams, then the program's own by age.
    std::map<int, std::shared_ptr<Stream>> standard, per_thread;  // by device
    std::map<cudaStream_t, std::shared_ptr<Stream>> by_handle;
    std::vector<std::shared_ptr<Stream>> destroyed;  // with work still to do
    std::uintptr_t next_handle = 0x1000;
    int captures = 0;

    std::vector<std::shared_ptr<Stream>> all() const {
        std::vector<std::shared_ptr<Stream>> result;
        for (const auto& [device, stream] : standard) result.push_back(stream);
        for (const auto& [device, stream] : per_thread) result.push_back(stream);
        for (const auto& [handle, stream] : by_handle) result.push_back(stream);
        result.insert(result.end(), destroyed.begin(), destroyed.end());
        return result;
    }
};
Streams& streams() {
    static Streams& all = *new Streams;
    return all;
}

const std::shared_ptr<Stream>& of_device(std::map<int, std::shared_ptr<Stream>>& all, int device) {
    std::shared_ptr<Stream>& stream = all[device];
    if (stream == nullptr) stream = std::make_shared<Stream>(true, device);
    return stream;
}
const std::shared_ptr<Stream>& default_stream(int device) {
    return of_device(streams().standard, device);
}

// A device's default stream waits for its blocking streams, and they wait for it.
void wait_for_default_stream(const std::shared_ptr<Stream>& stream, std::vector<Point>& after) {
    const auto& standard = default_stream(stream->device);
    if (stream == standard) {
        for (const auto& other : streams().all())
            if (other != standard && other->blocking && other->device == stream->device &&
                other->done < other->issued)
                after.push_back({other, other->issued, other->turn});
    } else if (stream->blocking && standard->done < standard->issued) {
        after.push_back({standard, standard->issued, standard->turn});
    }
}

std::uint64_t tasks_done = 0;    // in all streams
std::uint64_t tasks_waited = 0;  // done at the last wait of the program
bool runs_by_itself = false;

std::shared_ptr<const Turn> next_turn(const Stream& stream, const std::vector<Point>& after) {
    if (observer == nullptr) return nullptr;
    auto turn = std::make_shared<Turn>();
    if (stream.turn != nullptr) {
        turn->after = stream.turn->after;
        turn->lost = stream.turn->lost;
    }
    const auto add = [](auto& counts, unsigned number, std::uint64_t count) {
        std::uint64_t& known = counts[number];
        known = std::max(known, count);
    };
    for (const Point& point : after) {
        for (const auto& [number, count] : point.lost) add(turn->lost, number, count);
        if (point.turn == nullptr) continue;
        for (const auto& [number, count] : point.turn->after) add(turn->after, number, count);
        add(turn->after, point.turn->stream, point.turn->task);
    }
    turn->stream = stream.number;
    turn->task = stream.issued + 1;
    turn->issued = ++tasks_issued;
    turn->done = tasks_done;
    turn->waited = tasks_waited;
    turn->caller = calling_frames();
    return turn;
}

// Runs the streams that stand before this one in the order, because the device may have been quick
// with them.
void run_before(const std::shared_ptr<Stream>& last, const Order& order) {
    const auto all = streams().all();
    const Permutation permutation(order, all.size(), 0);
    for (std::size_t i = 0; i < all.size() && all[permutation[i]] != last; ++i)
        run_until({all[permutation[i]], all[permutation[i]]->issued});
}

// Runs to several points at which some work waits, in any order, because the device may reach any
// of them first.
void run_until_all(const std::vector<Point>& points) {
    if (points.empty()) return;
    const Permutation order(order_from_environment(), points.size(), 0);
    for (std::size_t i = 0; i < points.size(); ++i) run_until(points[order[i]]);
}

void add_task(const std::shared_ptr<Stream>& stream, Work work) {
    Task task{std::move(stream->waits), std::move(work), nullptr};
    stream->waits.clear();
    wait_for_default_stream(stream, task.after);
    stream->turn = task.turn = next_turn(*stream, task.after);
    stream->tasks.push_back(std::move(task));
    ++stream->issued;
    waiting_tasks = waiting_tasks + 1;
    tell(&Observer::issued);
}

}  // namespace

Stream::Stream(bool blocking, int device)
    : number([] {
          static unsigned streams = 0;
          return streams++;
      }()),
      blocking(blocking),
      device(device) {}

void Capture::Branch::wait_for(const std::vector<GraphPoint>& points) {
    for (const GraphPoint& point : points) {
        const auto same = std::find_if(waits.begin(), waits.end(), [&](const GraphPoint& wait) {
            return wait.branch == point.branch;
        });
        if (same == waits.end())
            waits.push_back(point);
        else
            same->count = std::max(same->count, point.count);
    }
}

void Capture::add(const std::shared_ptr<Stream>& stream) {
    stream->capture = shared_from_this();
    stream->branch = branches.size();
    branches.push_back({stream, {}, {}});
}

cudaError_t create_stream(cudaStream_t* handle, unsigned flags) {
    if (handle == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    streams().next_handle += 16;
    *handle = reinterpret_cast<cudaStream_t>(streams().next_handle);
    streams().by_handle[*handle] =
        std::make_shared<Stream>(flags == cudaStreamDefault, current_device());
    return cudaSuccess;
}
cudaError_t destroy_stream(cudaStream_t handle) {
    const auto stream = find_stream(handle);
    if (stream == nullptr || handle == nullptr || handle == cudaStreamLegacy ||
        handle == cudaStreamPerThread)
        return cudaErrorInvalidResourceHandle;
    if (stream->done < stream->issued) streams().destroyed.push_back(stream);
    streams().by_handle.erase(handle);
    return cudaSuccess;
}

std::shared_ptr<Stream> find_stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return default_stream(current_device());
    if (handle == cudaStreamPerThread) return of_device(streams().per_thread, current_device());
    const auto found = streams().by_handle.find(handle);
    return found == streams().by_handle.end() ? nullptr : found->second;
}

cudaError_t enqueue(cudaStream_t handle, Work work) {
    const auto stream = find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (stream->capture != nullptr) {
        Capture::Branch& branch = stream->capture->branch_of(*stream);
        branch.tasks.push_back({std::move(branch.waits), std::move(work),
                                observer == nullptr ? Frames{} : calling_frames(), ++tasks_issued});
        branch.waits.clear();
        return cudaSuccess;
    }
    if (stream == default_stream(stream->device))
        for (const auto& other : streams().all())
            if (other->capture != nullptr && other->blocking && other->device == stream->device) {
                other->capture->valid = false;
                return cudaErrorStreamCaptureImplicit;
            }
    add_task(stream, std::move(work));
    return cudaSuccess;
}

cudaError_t enqueue_between(const std::set<int>& devices, cudaStream_t handle, Work work) {
    const auto stream = find_stream(handle);
    const int own = current_device();
    const auto nothing = [] { return cudaSuccess; };
    const bool takes_turns = stream == default_stream(own);
    for (const int device : devices) {
        if (!takes_turns || device == own) continue;
        const auto& other = default_stream(device);
        add_task(other, nothing);
        stream->waits.push_back({other, other->issued, other->turn});
    }
    const cudaError_t error = enqueue(handle, std::move(work));
    for (const int device : devices) {
        if (!takes_turns || device == own) continue;
        const auto& other = default_stream(device);
        other->waits.push_back({stream, stream->issued, stream->turn});
        add_task(other, nothing);
    }
    return error;
}

RunsByItself::RunsByItself() { runs_by_itself = true; }
RunsByItself::~RunsByItself() { runs_by_itself = false; }

cudaError_t run_until(const Point& point) {
    Stream& stream = *point.stream;
    static int depth = 0;  // a task may wait for tasks of other streams
    if (stream.done >= point.count || stream.tasks.empty()) {
        if (depth == 0 && !runs_by_itself) tasks_waited = tasks_done;
        return device().broken;
    }
    ++depth;
    while (stream.done < point.count && !stream.tasks.empty()) {
        const Task task = std::move(stream.tasks.front());
        stream.tasks.pop_front();
        run_until_all(task.after);
        if (task.turn != nullptr) observer->begin_task(*task.turn);
        if (device().broken == cudaSuccess) device().broken = task.work();
        if (task.turn != nullptr) observer->end_task();
        ++stream.done;
        ++tasks_done;
        waiting_tasks = waiting_tasks - 1;
    }
    if (--depth == 0 && !runs_by_itself) tasks_waited = tasks_done;
    return device().broken;
}

bool is_not_ready(const Point& point) {
    Stream& stream = *point.stream;
    if (stream.done >= point.count || stream.asked >= point.count) return false;
    stream.asked = point.count;
    return true;
}

cudaError_t run_stream(cudaStream_t handle) {
    const auto stream = find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (stream->capture != nullptr) {
        stream->capture->valid = false;
        return cudaErrorStreamCaptureUnsupported;
    }
    // A wait for the default stream waits for other streams only through the default stream's own
    // work.
    run_until_all(stream->waits);
    const Order order = order_from_environment();
    if (order.kind != Order::Kind::forward) run_before(stream, order);
    return run_until({stream, stream->issued});
}

cudaError_t run_all_streams() { return run_streams_of(any_device); }

cudaError_t run_streams_of(int number) {
    if (any_capture()) {
        for (const auto& stream : streams().all())
            if (stream->capture != nullptr) stream->capture->valid = false;
        return cudaErrorStreamCaptureUnsupported;
    }
    const auto all = streams().all();
    const Permutation order(order_from_environment(), all.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& stream = all[order[i]];
        if (number == any_device || stream->device == number) run_until({stream, stream->issued});
    }
    std::erase_if(streams().destroyed,
                  [](const auto& stream) { return stream->done == stream->issued; });
    return device().broken;
}

void run_by_themselves() {
    const std::unique_lock lock(device().mutex, std::try_to_lock);
    if (!lock.owns_lock() || device().depth > 0 || any_capture()) return;
    const RunsByItself guard;
    run_all_streams();
}

void drop_all_streams() {
    streams() = Streams{};
    waiting_tasks = 0;
}

bool any_capture() {
    for (const auto& stream : streams().all())
        if (stream->capture != nullptr) return true;
    return false;
}

void keep_staged(std::size_t bytes) {
    constexpr std::size_t limit = std::size_t{256} << 20;
    static std::size_t kept = 0;
    kept += bytes;
    if (kept < limit || any_capture()) return;
    run_all_streams();  // runs them earlier than necessary, to limit the memory
    kept = 0;
}

}  // namespace cuda_on_cpu
