#include "harness/subjects/isolation/worker.hpp"

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "harness/subjects/isolation/fault_note.hpp"
#include "harness/subjects/program_files.hpp"

namespace attest {
namespace {

using Kind = RunOutcome::Kind;
using std::chrono::steady_clock;

constexpr std::uint64_t kLargestReply = 1 << 20;
constexpr std::uint64_t kSmallestArena = 16 << 20;
constexpr std::chrono::milliseconds kMomentToEnd{2000};
constexpr int kMostPatience = 9;  // so many times more, and never for longer
constexpr std::string_view kItsProcess = "its process ";

// Nobody in the worker can know it before the request arrives.
std::uint64_t draw_token() {
  std::random_device system;
  return (std::uint64_t{system()} << 32) | system();
}

std::vector<std::string> arguments_of(const WorkerPlan& plan, const SharedArena& arena) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(plan.patience).count() *
                       std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> arguments = {std::to_string(arena.size()), std::to_string(seconds),
                                        plan.confined ? "confined" : "free"};
  arguments.insert(arguments.end(), plan.serves.begin(), plan.serves.end());
  return arguments;
}

}  // namespace

std::filesystem::path worker_program_path() {
  if (const char* chosen = std::getenv("ATTEST_WORKER")) return chosen;
  return companion_program("attest-worker");
}

Worker::Worker(const WorkerPlan& plan, std::uint64_t arena_bytes)
    : patience_(plan.patience),
      arena_(std::max(kSmallestArena, std::bit_ceil(arena_bytes))),
      process_(plan.program, arguments_of(plan, arena_),
               {.own_group = true, .kept = arena_.descriptor()}) {}

void Worker::send(WorkerRequest request) {
  request_ = std::move(request);
  request_.token = draw_token();
  deadline_ = steady_clock::now() + patience_;
  used_before_ = process_.processor_time();
  sent_ = process_.stream(deadline_).send(encode(request_));
}

// A worker that is ready to compute, and has not yet had its patience's worth of a processor, is
// kept from its work by others: on a busy machine that is no hang.
StreamEnd Worker::wait_for_reply() const {
  Deadline deadline = deadline_;
  const Deadline last = deadline_ + kMostPatience * patience_;
  StreamEnd end = process_.stream(deadline).wait();
  while (end == StreamEnd::late && deadline < last && !process_.is_asleep() &&
         process_.processor_time() - used_before_ < patience_) {
    deadline = steady_clock::now() + patience_ / 4;
    end = process_.stream(deadline).wait();
  }
  // It also sleeps once it has replied.
  return end == StreamEnd::late ? process_.stream(steady_clock::now()).wait() : end;
}

RunOutcome Worker::receive(WorkerReply& reply) {
  Bytes message;
  StreamEnd end = sent_;
  if (end == StreamEnd::ok) end = wait_for_reply();
  // What began to come has to come to its end.
  const Deadline deadline = std::max(deadline_, steady_clock::now() + patience_ / 4);
  if (end == StreamEnd::ok) end = process_.stream(deadline).receive(message, kLargestReply);
  if (end != StreamEnd::ok) return lost(end);
  std::optional<WorkerReply> decoded = decode_worker_reply(message);
  if (!decoded || decoded->token != request_.token) return lost(StreamEnd::nonsense);
  reply = std::move(*decoded);
  return {};
}

RunOutcome Worker::lost(StreamEnd end) {
  usable_ = false;
  switch (end) {
    case StreamEnd::late:
      process_.end_by(steady_clock::now());
      return {Kind::hung, "no answer within " + std::to_string(patience_.count()) +
                              " ms; its process was killed"};
    case StreamEnd::nonsense:
      process_.end_by(steady_clock::now());
      return {Kind::malformed_reply, "its process wrote what is no reply to this request"};
    default: return ended();
  }
}

RunOutcome Worker::ended() {
  const std::string ending = process_.end_by(steady_clock::now() + kMomentToEnd);
  if (process_.was_killed()) {
    return {Kind::malformed_reply,
            "its process closed its stream in place of a reply, and lived on"};
  }
  FaultNote note{};
  std::memcpy(&note, arena_.notes(), sizeof note);
  const auto signal = process_.end_signal();
  if (signal && note.signal == static_cast<std::uint64_t>(*signal)) {
    return explain_fault(note, request_);
  }
  if (signal == SIGXCPU) return {Kind::hung, "used up its processor time"};
  return {Kind::crashed, std::string(kItsProcess) + ending + " before it replied"};
}

bool was_killed(const RunOutcome& outcome) {
  const std::string killed =
      std::string(kItsProcess) + "ended by signal " + std::to_string(SIGKILL);
  return outcome.kind == Kind::crashed && outcome.detail.find(killed) != std::string::npos;
}

std::unique_ptr<Worker> WorkerPool::take(std::uint64_t arena_bytes) {
  {
    const std::scoped_lock mine(lock_);
    for (auto& worker : idle_) {
      if (worker->arena().size() < arena_bytes) continue;
      std::unique_ptr<Worker> taken = std::move(worker);
      worker = std::move(idle_.back());
      idle_.pop_back();
      return taken;
    }
    if (!idle_.empty()) idle_.pop_back();  // too small, as all others: a larger one takes its place
  }
  return std::make_unique<Worker>(plan_, arena_bytes);
}

void WorkerPool::give_back(std::unique_ptr<Worker> worker) {
  if (!worker->is_usable()) return;
  const std::scoped_lock mine(lock_);
  idle_.push_back(std::move(worker));
}

}  // namespace attest
