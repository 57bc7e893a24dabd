#include <algorithm>
#include <exception>

#include "harness/subjects/catalogue.hpp"
#include "harness/subjects/isolation/call_shapes.hpp"
#include "harness/subjects/isolation/callee.hpp"

namespace attest {
namespace {

using Kind = WorkerReply::Kind;

WorkerReply reply(Kind kind, std::string detail) { return {0, kind, std::move(detail), 0, {}}; }

const Subject* subject_of_name(const std::string& name) {
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.name == name) return entry.subject.get();
  }
  return nullptr;
}

template <class View>
std::vector<View> views(const std::vector<CallShape>& shapes,
                        const std::vector<std::byte*>& addresses) {
  std::vector<View> all;
  for (std::size_t n = 0; n < shapes.size(); ++n) {
    all.push_back(
        {addresses[n], shapes[n].format, shapes[n].extents, row_major(shapes[n].extents)});
  }
  return all;
}

class BundledCallee final : public Callee {
 public:
  WorkerReply describe() override { return reply(Kind::done, ""); }

  WorkerReply workspace(const WorkerRequest&, const Problem&) override {
    return reply(Kind::done, "");
  }

  WorkerReply call(const WorkerRequest& request, const Problem& problem,
                   const CallMemory& memory) override {
    const Subject* const subject = subject_of_name(request.subject);
    if (subject == nullptr) return reply(Kind::failed, "no bundled subject " + request.subject);
    const auto in = views<ConstTensorView>(input_shapes(problem, request.step), memory.inputs);
    const auto out = views<TensorView>(output_shapes(problem, request.step), memory.outputs);
    RunOutcome outcome;
    try {
      if (request.step == WorkerStep::forward) {
        outcome = subject->run(problem, {in[0], in[1], in[2]}, {out[0], out[1]}, request.settings);
      } else {
        BackwardInputs given{in[0], in[1], in[2], in[3], in[4], in[5]};
        if (problem.lse_gradient) given.glse = in[6];
        outcome = subject->run_backward(problem, given, {out[0], out[1], out[2]}, request.settings);
      }
    } catch (const std::exception& thrown) {
      return reply(Kind::failed, std::string("threw: ") + thrown.what());
    }
    if (outcome.kind == RunOutcome::Kind::ran) return reply(Kind::done, "");
    if (outcome.kind == RunOutcome::Kind::broke_rules) {
      return reply(Kind::broke_rules, outcome.detail);
    }
    return reply(Kind::failed, std::string(name_of(outcome.kind)) + ": " + outcome.detail);
  }
};

}  // namespace

std::unique_ptr<Callee> bundled_callee() { return std::make_unique<BundledCallee>(); }

}  // namespace attest
