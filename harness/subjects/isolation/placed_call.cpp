#include "harness/subjects/isolation/placed_call.hpp"

#include <algorithm>

namespace attest {
namespace {

using Kind = RunOutcome::Kind;

constexpr std::uint64_t kMostWorkspace = std::uint64_t{1} << 30;
constexpr std::uint64_t kWorkspaceAlignment = 16;  // as malloc's

std::optional<RunOutcome> look_around(const SharedArena& arena, const Slice& slice,
                                      std::string_view name) {
  const std::int64_t at = arena.changed_guard(slice);
  if (at == 0) return std::nullopt;
  const std::string where =
      at < 0
          ? std::to_string(-at) + " before the start of "
          : std::to_string(static_cast<std::uint64_t>(at) - slice.size + 1) + " past the end of ";
  return RunOutcome{Kind::out_of_bounds, "wrote byte " + where + std::string(name)};
}

// The reply's own kinds as outcomes.
RunOutcome take_reply(Worker& worker, WorkerReply& reply) {
  RunOutcome outcome = worker.receive(reply);
  if (outcome.kind != Kind::ran) return outcome;
  switch (reply.kind) {
    case WorkerReply::Kind::done: return {};
    case WorkerReply::Kind::unsupported: return {Kind::unsupported, reply.detail};
    case WorkerReply::Kind::failed: return {Kind::failed, reply.detail};
    case WorkerReply::Kind::broke_rules: return {Kind::broke_rules, reply.detail};
  }
  return {};
}

}  // namespace

PlacedCall::PlacedCall(const Problem& problem, WorkerStep step, const CallPolicy& policy,
                       const RunSettings& settings)
    : policy_(policy), in_(input_shapes(problem, step)), out_(output_shapes(problem, step)) {
  request_.step = step;
  request_.pass = step == WorkerStep::backward ? Pass::bwd : Pass::fwd;
  request_.subject = policy.subject;
  request_.problem = to_string(problem);
  request_.settings = settings;
}

RunOutcome PlacedCall::prepare(WorkerPool& pool) {
  std::uint64_t workspace = 0;
  if (policy_.asks_workspace) {
    const BorrowedWorker worker(pool, 0);
    WorkerRequest question = request_;
    question.step = WorkerStep::workspace;
    worker->send(std::move(question));
    WorkerReply reply;
    if (RunOutcome outcome = take_reply(*worker, reply); outcome.kind != Kind::ran) {
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

PlacedCall::Placed PlacedCall::place(SliceLayout& layout, std::uint64_t workspace) const {
  Placed placed;
  const auto least = static_cast<std::uint64_t>(policy_.alignment);
  const auto alignment = [&](const CallShape& shape) {
    return std::max(least, static_cast<std::uint64_t>(bytes_of(shape.format)));
  };
  for (const CallShape& shape : in_) {
    placed.inputs.push_back(layout.place(shape.size(), alignment(shape), false));
  }
  for (const CallShape& shape : out_) {
    placed.outputs.push_back(layout.place(shape.size(), alignment(shape), true));
  }
  if (workspace > 0) {
    placed.workspace = layout.place(workspace, std::max(least, kWorkspaceAlignment), true);
  }
  return placed;
}

void PlacedCall::send(Worker& worker, Edge edge, const std::vector<Bytes>& values,
                      Poison poison) const {
  const Placed& placed = at(edge);
  const SharedArena& arena = worker.arena();
  for (std::size_t n = 0; n < in_.size(); ++n) {
    std::ranges::copy(values[n], arena.data(placed.inputs[n]).begin());
    arena.write_guards(placed.inputs[n]);
  }
  for (std::size_t n = 0; n < out_.size(); ++n) {
    fill_with_poison(arena.data(placed.outputs[n]), out_[n].format, poison);
    arena.write_guards(placed.outputs[n]);
  }
  if (placed.workspace) {
    fill_with_poison(arena.data(*placed.workspace), Format::f32, poison);
    arena.write_guards(*placed.workspace);
  }
  WorkerRequest request = request_;
  request.inputs = placed.inputs;
  request.outputs = placed.outputs;
  request.workspace = placed.workspace;
  worker.send(std::move(request));
}

RunOutcome PlacedCall::receive(Worker& worker, Edge edge, const std::vector<Bytes>& values) const {
  WorkerReply reply;
  if (RunOutcome outcome = take_reply(worker, reply); outcome.kind != Kind::ran) return outcome;
  const Placed& placed = at(edge);
  const SharedArena& arena = worker.arena();
  for (std::size_t n = 0; n < in_.size(); ++n) {
    if (!std::ranges::equal(values[n], arena.data(placed.inputs[n]))) {
      return {Kind::changed_inputs, "other bytes stand in " + std::string(in_[n].name)};
    }
    if (auto outcome = look_around(arena, placed.inputs[n], in_[n].name)) return *outcome;
  }
  for (std::size_t n = 0; n < out_.size(); ++n) {
    if (auto outcome = look_around(arena, placed.outputs[n], out_[n].name)) return *outcome;
  }
  if (placed.workspace) {
    if (auto outcome = look_around(arena, *placed.workspace, "the workspace")) return *outcome;
  }
  return {};
}

std::vector<Bytes> PlacedCall::written(const Worker& worker, Edge edge) const {
  std::vector<Bytes> all;
  for (const Slice& slice : at(edge).outputs) {
    const std::span<std::byte> data = worker.arena().data(slice);
    all.emplace_back(data.begin(), data.end());
  }
  return all;
}

}  // namespace attest
