// worker.hpp - one worker process, as attest sees it: started, asked, and replaced once it has
// misbehaved.
//
// Nothing that attest knows of the answer ever goes there: a request holds a problem, inputs and
// poisoned buffers.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/subject.hpp"
#include "harness/subjects/child_process.hpp"
#include "harness/subjects/isolation/arena.hpp"
#include "harness/subjects/isolation/messages.hpp"

namespace attest {

struct WorkerPlan {
  std::filesystem::path program;
  std::vector<std::string> serves;             // {"plugin", library} or {"bundled"}
  std::chrono::milliseconds patience{30'000};  // for one request; more where processors lack
  bool confined = true;                        // sandbox.hpp
};

// Did the run end because its process was killed (SIGKILL), and not by attest? It may have done
// that itself, and then does so again; or it came from outside, and says nothing about the subject.
[[nodiscard]] bool was_killed(const RunOutcome& outcome);

// $ATTEST_WORKER, or the attest-worker that belongs to the running program (program_files.hpp).
[[nodiscard]] std::filesystem::path worker_program_path();

class Worker {
 public:
  // Throws Error (ours) when it cannot be started.
  Worker(const WorkerPlan& plan, std::uint64_t arena_bytes);

  [[nodiscard]] const SharedArena& arena() const { return arena_; }

  // Sends a request; several workers may then compute at the same time.
  void send(WorkerRequest request);
  // Waits for the reply to it. Kind ran: `reply` is one, of whatever kind. Else the worker is of no
  // use any more, and this says what came of it.
  [[nodiscard]] RunOutcome receive(WorkerReply& reply);
  [[nodiscard]] bool is_usable() const { return usable_; }
  // Does it run threads beside its own two, the loop and the watch? They may be the subject's.
  [[nodiscard]] bool has_other_threads() const { return process_.thread_count() > 2; }
  // Lets nobody use it again.
  void retire() { usable_ = false; }

 private:
  [[nodiscard]] StreamEnd wait_for_reply() const;
  [[nodiscard]] RunOutcome lost(StreamEnd end);
  [[nodiscard]] RunOutcome ended();

  std::chrono::milliseconds patience_;
  SharedArena arena_;
  ChildProcess process_;
  WorkerRequest request_;
  Deadline deadline_{};
  std::chrono::nanoseconds used_before_{0};  // of processors, when the request was sent
  StreamEnd sent_ = StreamEnd::ok;
  bool usable_ = true;
};

// Workers of one plan that wait for work. May be used from several threads at once.
class WorkerPool {
 public:
  explicit WorkerPool(WorkerPlan plan) : plan_(std::move(plan)) {}

  [[nodiscard]] const WorkerPlan& plan() const { return plan_; }
  // One with an arena of at least so many bytes, started if none is there. Throws Error (ours).
  [[nodiscard]] std::unique_ptr<Worker> take(std::uint64_t arena_bytes);
  // For the next one who takes; a worker of no use is dropped.
  void give_back(std::unique_ptr<Worker> worker);

 private:
  WorkerPlan plan_;
  std::mutex lock_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

// A worker taken for as long as this lives.
class BorrowedWorker {
 public:
  BorrowedWorker(WorkerPool& pool, std::uint64_t arena_bytes)
      : pool_(pool), worker_(pool.take(arena_bytes)) {}
  BorrowedWorker(const BorrowedWorker&) = delete;
  BorrowedWorker& operator=(const BorrowedWorker&) = delete;
  ~BorrowedWorker() { pool_.give_back(std::move(worker_)); }
  Worker* operator->() const { return worker_.get(); }
  Worker& operator*() const { return *worker_; }

 private:
  WorkerPool& pool_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace attest
