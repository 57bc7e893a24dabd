#include "harness/subjects/isolation/isolated_calls.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "harness/subjects/isolation/compare_outputs.hpp"
#include "kernels/attention/dense.hpp"

namespace attest {
namespace {

using Kind = RunOutcome::Kind;

// How long a thread that was left behind is waited for, once there is a reason to suspect one:
// while any is there that may be it, and a moment in any case.
constexpr std::chrono::milliseconds kMomentForLatecomers{50}, kMostForLatecomers{2000};
constexpr std::chrono::milliseconds kBetweenLooks{5};

template <class Byte>
Bytes row_major_bytes(const BasicTensorView<Byte>& view) {
  const auto width = static_cast<std::size_t>(bytes_of(view.format));
  Bytes bytes(static_cast<std::size_t>(volume(view.extents)) * width);
  for_each_element(view, [&](const std::byte* from, std::size_t n) {
    std::memcpy(bytes.data() + n * width, from, width);
  });
  return bytes;
}

// Other values of the same shape and size: all but the first element in reverse. A subject that
// remembers by address, by shape or by the first value takes them for the ones that follow.
Bytes other_values(const Bytes& bytes, Format format) {
  const auto width = static_cast<std::size_t>(bytes_of(format));
  Bytes other = bytes;
  const std::size_t count = bytes.size() / width;
  for (std::size_t n = 1; n < count; ++n) {
    std::memcpy(other.data() + n * width, bytes.data() + (count - n) * width, width);
  }
  return other;
}

// A problem's last batch entry, as if there were no other one.
Problem last_entry(const Problem& p) {
  Problem alone = p;
  alone.batch = 1;
  if (!p.lq.empty()) alone.lq = {p.lq.back()};
  if (!p.lk.empty()) alone.lk = {p.lk.back()};
  return alone;
}

// And its part of tensors.
std::vector<Bytes> last_entry(const std::vector<Bytes>& tensors, Index batch) {
  std::vector<Bytes> alone;
  for (const Bytes& all : tensors) {
    const std::size_t part = all.size() / static_cast<std::size_t>(batch);
    alone.emplace_back(all.end() - static_cast<std::ptrdiff_t>(part), all.end());
  }
  return alone;
}

// One run: the calls that have to agree.
class Run {
 public:
  Run(WorkerPool& pool, const Problem& problem, WorkerStep step, const CallPolicy& policy,
      const RunSettings& settings)
      : pool_(pool), problem_(problem), policy_(policy), call_(problem, step, policy, settings) {}

  [[nodiscard]] RunOutcome prepare() { return call_.prepare(pool_); }

  // The outputs of the call that counts go to `kept`, those of the one at other addresses to
  // `again`.
  RunOutcome call_all(const std::vector<Bytes>& values, std::vector<Bytes>& kept,
                      std::vector<Bytes>& again) const {
    const BorrowedWorker worker(pool_, call_.arena_bytes());
    return retired(*worker, call_in_turn(*worker, values, kept, again));
  }

  // One call, which has to give the bits of `kept`.
  RunOutcome call_again(const std::vector<Bytes>& values, const std::vector<Bytes>& kept) const {
    const BorrowedWorker worker(pool_, call_.arena_bytes());
    RunOutcome outcome = call(*worker, Edge::right, values, Poison::first);
    if (outcome.kind == Kind::ran) {
      const std::string different = compare(kept, call_.written(*worker, Edge::right)).different;
      if (!different.empty()) outcome = {Kind::nondeterministic, different};
    }
    return retired(*worker, std::move(outcome));
  }

 private:
  static RunOutcome retired(Worker& worker, RunOutcome outcome) {
    if (is_misconduct(outcome.kind) || outcome.kind == Kind::nondeterministic) worker.retire();
    return outcome;
  }

  RunOutcome call(Worker& worker, Edge edge, const std::vector<Bytes>& values,
                  Poison poison) const {
    call_.send(worker, edge, values, poison);
    return call_.receive(worker, edge, values);
  }

  [[nodiscard]] Differences compare(const std::vector<Bytes>& first,
                                    const std::vector<Bytes>& second) const {
    return compare_outputs(problem_, policy_.semantics, call_.outputs(), first, second);
  }

  RunOutcome call_in_turn(Worker& worker, const std::vector<Bytes>& values,
                          std::vector<Bytes>& kept, std::vector<Bytes>& again) const {
    RunOutcome outcome = call_with_others(worker, values);
    if (outcome.kind != Kind::ran) return outcome;
    outcome = call(worker, Edge::right, values, Poison::first);
    if (outcome.kind != Kind::ran) return outcome;
    kept = call_.written(worker, Edge::right);

    outcome = policy_.deterministic ? call_in_company(worker, values, kept)
                                    : call(worker, Edge::left, values, Poison::second);
    if (outcome.kind != Kind::ran) return outcome;
    again = call_.written(worker, Edge::left);
    const Differences found = compare(kept, again);
    // An element that nobody had written may yet come: then this is what went wrong.
    if (!found.unwritten.empty()) wait_for_latecomers(worker, kept, again);
    if (has_changed(worker, kept, again)) {
      return {Kind::broke_rules, "wrote to its outputs after the call had returned"};
    }
    if (!found.unwritten.empty()) return {Kind::left_unwritten, found.unwritten};
    if (policy_.deterministic && !found.different.empty()) {
      return {Kind::nondeterministic, found.different + " at other addresses"};
    }
    return {};
  }

  [[nodiscard]] bool has_changed(const Worker& worker, const std::vector<Bytes>& kept,
                                 const std::vector<Bytes>& again) const {
    return call_.written(worker, Edge::right) != kept || call_.written(worker, Edge::left) != again;
  }

  // Until somebody writes, or nobody is left who could.
  void wait_for_latecomers(const Worker& worker, const std::vector<Bytes>& kept,
                           const std::vector<Bytes>& again) const {
    const auto start = std::chrono::steady_clock::now();
    while (!has_changed(worker, kept, again)) {
      const auto waited = std::chrono::steady_clock::now() - start;
      const auto most = worker.has_other_threads() ? kMostForLatecomers : kMomentForLatecomers;
      if (waited >= most) return;
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }

  RunOutcome call_with_others(Worker& worker, const std::vector<Bytes>& values) const {
    std::vector<Bytes> others;
    for (std::size_t n = 0; n < values.size(); ++n) {
      others.push_back(other_values(values[n], call_.inputs()[n].format));
    }
    RunOutcome outcome = call(worker, Edge::right, others, Poison::second);
    if (outcome.kind != Kind::ran && outcome.kind != Kind::unsupported) {
      outcome.detail = "with other values of the same shape: " + outcome.detail;
    }
    return outcome;
  }

  RunOutcome call_in_company(Worker& worker, const std::vector<Bytes>& values,
                             const std::vector<Bytes>& kept) const {
    const BorrowedWorker company(pool_, call_.arena_bytes());
    call_.send(*company, Edge::right, values, Poison::first);
    call_.send(worker, Edge::left, values, Poison::second);
    const RunOutcome elsewhere = call_.receive(worker, Edge::left, values);
    RunOutcome beside = call_.receive(*company, Edge::right, values);
    if (elsewhere.kind != Kind::ran) return elsewhere;
    if (beside.kind == Kind::ran) {
      const std::string different = compare(kept, call_.written(*company, Edge::right)).different;
      if (!different.empty()) beside = {Kind::nondeterministic, different + " beside another run"};
    }
    return retired(*company, std::move(beside));
  }

  WorkerPool& pool_;
  const Problem& problem_;
  const CallPolicy& policy_;
  PlacedCall call_;
};

// What nobody has written keeps what stood there.
void scatter(const Bytes& kept, const Bytes& again, const TensorView& view) {
  const auto width = static_cast<std::size_t>(bytes_of(view.format));
  const std::uint64_t first = poison_of(view.format, Poison::first);
  const std::uint64_t second = poison_of(view.format, Poison::second);
  for_each_element(view, [&](std::byte* to, std::size_t n) {
    const std::byte* const from = kept.data() + n * width;
    const bool written = std::memcmp(from, &first, width) != 0 ||
                         std::memcmp(again.data() + n * width, &second, width) != 0;
    if (written) std::memcpy(to, from, width);
  });
}

// Without the others of its batch.
RunOutcome call_last_entry(WorkerPool& pool, const Problem& problem, WorkerStep step,
                           const CallPolicy& policy, const RunSettings& settings,
                           const std::vector<Bytes>& values, const std::vector<Bytes>& kept) {
  const Problem alone = last_entry(problem);
  Run run(pool, alone, step, policy, settings);
  RunOutcome outcome = run.prepare();
  if (outcome.kind == Kind::ran) {
    outcome = run.call_again(last_entry(values, problem.batch), last_entry(kept, problem.batch));
  }
  if (outcome.kind != Kind::ran) outcome.detail = "the last batch entry alone: " + outcome.detail;
  return outcome;
}

}  // namespace

RunOutcome IsolatedCalls::run(const Problem& problem, WorkerStep step, const CallPolicy& policy,
                              const std::vector<ConstTensorView>& inputs,
                              const std::vector<TensorView>& outputs,
                              const RunSettings& settings) const {
  std::vector<Bytes> values, kept, again;
  for (const ConstTensorView& view : inputs) values.push_back(row_major_bytes(view));
  Run run(*pool_, problem, step, policy, settings);
  RunOutcome outcome = run.prepare();
  if (outcome.kind == Kind::ran) outcome = run.call_all(values, kept, again);
  if (outcome.kind == Kind::ran && policy.batch_invariant && problem.batch > 1) {
    outcome = call_last_entry(*pool_, problem, step, policy, settings, values, kept);
  }
  if (outcome.kind != Kind::ran) return outcome;
  for (std::size_t n = 0; n < outputs.size(); ++n) scatter(kept[n], again[n], outputs[n]);
  return outcome;
}

}  // namespace attest
