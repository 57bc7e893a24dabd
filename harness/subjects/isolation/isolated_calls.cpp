#include "harness/subjects/isolation/isolated_calls.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <thread>

#include "harness/subjects/isolation/compare_outputs.hpp"
#include "kernels/attention/dense.hpp"

namespace attest {
namespace {

using Kind = RunOutcome::Kind;

constexpr std::uint64_t kMostWorkspace = std::uint64_t{1} << 30;
// How long a thread that was left behind is waited for, once there is a reason to suspect one.
constexpr std::chrono::milliseconds kMomentForLatecomers{50};

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

struct Placed {
  std::vector<Slice> inputs, outputs;
  std::optional<Slice> workspace;
};

// One run: what its calls have in common.
class Run {
 public:
  Run(WorkerPool& pool, const Problem& problem, WorkerStep step, const CallPolicy& policy,
      const RunSettings& settings)
      : pool_(pool),
        problem_(problem),
        policy_(policy),
        in_(input_shapes(problem, step)),
        out_(output_shapes(problem, step)) {
    request_.step = step;
    request_.pass = step == WorkerStep::backward ? Pass::bwd : Pass::fwd;
    request_.subject = policy.subject;
    request_.problem = to_string(problem);
    request_.settings = settings;
  }

  // Asks for the workspace, and places everything twice.
  RunOutcome prepare() {
    std::uint64_t workspace = 0;
    if (policy_.asks_workspace) {
      const BorrowedWorker worker(pool_, 0);
      WorkerRequest question = request_;
      question.step = WorkerStep::workspace;
      worker->send(std::move(question));
      WorkerReply reply;
      if (RunOutcome outcome = take_reply(worker, reply); outcome.kind != Kind::ran) {
        return outcome;
      }
      workspace = reply.workspace_bytes;
      if (workspace > kMostWorkspace) {
        return {Kind::failed, "asked for a workspace of " + std::to_string(workspace) + " bytes"};
      }
    }
    SliceLayout right(Edge::right);
    at_right_ = place(right, workspace);
    SliceLayout left(Edge::left, right);
    at_left_ = place(left, workspace);
    arena_bytes_ = left.file_end();
    return {};
  }

  // The outputs of the call that counts go to `kept`, those of the one at other addresses to
  // `again`.
  RunOutcome call_all(const std::vector<Bytes>& values, std::vector<Bytes>& kept,
                      std::vector<Bytes>& again) {
    const BorrowedWorker worker(pool_, arena_bytes_);
    return retired(worker, call_in_turn(worker, values, kept, again));
  }

  // One call, which has to give the bits of `kept`.
  RunOutcome call_again(const std::vector<Bytes>& values, const std::vector<Bytes>& kept) {
    const BorrowedWorker worker(pool_, arena_bytes_);
    send(worker, at_right_, values, Poison::first);
    RunOutcome outcome = receive(worker, at_right_, values);
    if (outcome.kind == Kind::ran) {
      const Differences found =
          compare_outputs(problem_, policy_.semantics, out_, kept, outputs(worker, at_right_));
      if (!found.different.empty()) outcome = {Kind::nondeterministic, found.different};
    }
    return retired(worker, std::move(outcome));
  }

 private:
  static RunOutcome retired(const BorrowedWorker& worker, RunOutcome outcome) {
    if (is_misconduct(outcome.kind) || outcome.kind == Kind::nondeterministic) worker->retire();
    return outcome;
  }

  RunOutcome call_in_turn(const BorrowedWorker& worker, const std::vector<Bytes>& values,
                          std::vector<Bytes>& kept, std::vector<Bytes>& again) {
    std::vector<Bytes> others;
    for (std::size_t n = 0; n < values.size(); ++n) {
      others.push_back(other_values(values[n], in_[n].format));
    }
    send(worker, at_right_, others, Poison::second);
    RunOutcome outcome = receive(worker, at_right_, others);
    if (outcome.kind != Kind::ran) {
      if (outcome.kind != Kind::unsupported) {
        outcome.detail = "with other values of the same shape: " + outcome.detail;
      }
      return outcome;
    }
    send(worker, at_right_, values, Poison::first);
    outcome = receive(worker, at_right_, values);
    if (outcome.kind != Kind::ran) return outcome;
    kept = outputs(worker, at_right_);

    outcome = policy_.deterministic ? call_in_company(worker, values, kept)
                                    : call_elsewhere(worker, values);
    if (outcome.kind != Kind::ran) return outcome;
    again = outputs(worker, at_left_);
    const Differences found = compare_outputs(problem_, policy_.semantics, out_, kept, again);
    if (outputs(worker, at_right_) != kept || wrote_late(found, worker, again)) {
      return {Kind::broke_rules, "wrote to its outputs after the call had returned"};
    }
    if (!found.unwritten.empty()) return {Kind::left_unwritten, found.unwritten};
    if (policy_.deterministic && !found.different.empty()) {
      return {Kind::nondeterministic, found.different + " at other addresses"};
    }
    return {};
  }

  RunOutcome call_elsewhere(const BorrowedWorker& worker, const std::vector<Bytes>& values) {
    send(worker, at_left_, values, Poison::second);
    return receive(worker, at_left_, values);
  }

  RunOutcome call_in_company(const BorrowedWorker& worker, const std::vector<Bytes>& values,
                             const std::vector<Bytes>& kept) {
    const BorrowedWorker company(pool_, arena_bytes_);
    send(company, at_right_, values, Poison::first);
    send(worker, at_left_, values, Poison::second);
    const RunOutcome elsewhere = receive(worker, at_left_, values);
    const RunOutcome beside = receive(company, at_right_, values);
    if (elsewhere.kind != Kind::ran) return elsewhere;
    if (beside.kind != Kind::ran) return beside;
    const Differences found =
        compare_outputs(problem_, policy_.semantics, out_, kept, outputs(company, at_right_));
    if (found.different.empty()) return {};
    company->retire();
    return {Kind::nondeterministic, found.different + " beside another run"};
  }

  // An element that nobody had written may yet come: then this is what went wrong.
  bool wrote_late(const Differences& found, const BorrowedWorker& worker,
                  const std::vector<Bytes>& again) const {
    if (found.unwritten.empty()) return false;
    std::this_thread::sleep_for(kMomentForLatecomers);
    return outputs(worker, at_left_) != again;
  }

  Placed place(SliceLayout& layout, std::uint64_t workspace) const {
    Placed placed;
    const auto alignment = [&](const CallShape& shape) {
      return static_cast<std::uint64_t>(std::max<Index>(policy_.alignment, bytes_of(shape.format)));
    };
    for (const CallShape& shape : in_) {
      placed.inputs.push_back(layout.place(shape.size(), alignment(shape), false));
    }
    for (const CallShape& shape : out_) {
      placed.outputs.push_back(layout.place(shape.size(), alignment(shape), true));
    }
    constexpr std::uint64_t kAsMalloc = 16;
    if (workspace > 0) {
      placed.workspace = layout.place(
          workspace, std::max(kAsMalloc, static_cast<std::uint64_t>(policy_.alignment)), true);
    }
    return placed;
  }

  void send(const BorrowedWorker& worker, const Placed& at, const std::vector<Bytes>& values,
            Poison poison) const {
    const SharedArena& arena = worker->arena();
    for (std::size_t n = 0; n < in_.size(); ++n) {
      std::ranges::copy(values[n], arena.data(at.inputs[n]).begin());
      arena.write_guards(at.inputs[n]);
    }
    for (std::size_t n = 0; n < out_.size(); ++n) {
      fill_with_poison(arena.data(at.outputs[n]), out_[n].format, poison);
      arena.write_guards(at.outputs[n]);
    }
    if (at.workspace) {
      fill_with_poison(arena.data(*at.workspace), Format::f32, poison);
      arena.write_guards(*at.workspace);
    }
    WorkerRequest request = request_;
    request.inputs = at.inputs;
    request.outputs = at.outputs;
    request.workspace = at.workspace;
    worker->send(std::move(request));
  }

  RunOutcome receive(const BorrowedWorker& worker, const Placed& at,
                     const std::vector<Bytes>& values) const {
    WorkerReply reply;
    if (RunOutcome outcome = take_reply(worker, reply); outcome.kind != Kind::ran) return outcome;
    const SharedArena& arena = worker->arena();
    for (std::size_t n = 0; n < in_.size(); ++n) {
      if (!std::ranges::equal(values[n], arena.data(at.inputs[n]))) {
        return {Kind::changed_inputs, "other bytes stand in " + std::string(in_[n].name)};
      }
      if (auto outcome = look_around(arena, at.inputs[n], in_[n].name)) return *outcome;
    }
    for (std::size_t n = 0; n < out_.size(); ++n) {
      if (auto outcome = look_around(arena, at.outputs[n], out_[n].name)) return *outcome;
    }
    if (at.workspace) {
      if (auto outcome = look_around(arena, *at.workspace, "the workspace")) return *outcome;
    }
    return {};
  }

  static std::optional<RunOutcome> look_around(const SharedArena& arena, const Slice& slice,
                                               std::string_view name) {
    const std::int64_t at = arena.changed_guard(slice);
    if (at == 0) return std::nullopt;
    const std::string where = at < 0 ? std::to_string(-at) + " bytes before the start of "
                                     : std::to_string(static_cast<std::uint64_t>(at) - slice.size) +
                                           " bytes past the end of ";
    return RunOutcome{Kind::out_of_bounds, "wrote " + where + std::string(name)};
  }

  // The reply's own kinds as outcomes.
  static RunOutcome take_reply(const BorrowedWorker& worker, WorkerReply& reply) {
    RunOutcome outcome = worker->receive(reply);
    if (outcome.kind != Kind::ran) return outcome;
    switch (reply.kind) {
      case WorkerReply::Kind::done: return {};
      case WorkerReply::Kind::unsupported: return {Kind::unsupported, reply.detail};
      case WorkerReply::Kind::failed: return {Kind::failed, reply.detail};
      case WorkerReply::Kind::broke_rules: return {Kind::broke_rules, reply.detail};
    }
    return {};
  }

  [[nodiscard]] std::vector<Bytes> outputs(const BorrowedWorker& worker, const Placed& at) const {
    std::vector<Bytes> all;
    for (const Slice& slice : at.outputs) {
      const std::span<std::byte> data = worker->arena().data(slice);
      all.emplace_back(data.begin(), data.end());
    }
    return all;
  }

  WorkerPool& pool_;
  const Problem& problem_;
  const CallPolicy& policy_;
  std::vector<CallShape> in_, out_;
  WorkerRequest request_;
  Placed at_right_, at_left_;
  std::uint64_t arena_bytes_ = 0;
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
