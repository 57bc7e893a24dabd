#include "harness/subjects/plugin_subject.hpp"

#include <algorithm>
#include <utility>

#include "core/contract.hpp"
#include "core/error.hpp"
#include "core/key_values.hpp"
#include "harness/subjects/bits_promise.hpp"
#include "harness/subjects/capabilities.hpp"
#include "harness/subjects/declared_configurations.hpp"
#include "harness/subjects/declared_numerics.hpp"
#include "harness/subjects/isolation/isolated_calls.hpp"
#include "harness/subjects/problem_fit.hpp"

namespace attest {
namespace {

// Of queries or keys, where a subject declares none: what kernels for large machines have.
constexpr Index kUsualTile = 128;

// A declaration that was understood.
struct Declaration {
  Capabilities capabilities;
  Semantics semantics;
  DeclaredNumerics numerics;
  Promises promises;
  bool has_backward = false;
  std::vector<DeclaredConfiguration> configurations;
};

class PluginSubject final : public Subject, public ProblemFit, public BitsPromise {
 public:
  PluginSubject(std::string name, const DeclaredSubject& said, Declaration declaration,
                std::shared_ptr<IsolatedCalls> calls)
      : name_(std::move(name)), declaration_(std::move(declaration)), calls_(std::move(calls)) {
    policy_.subject = said.name;
    policy_.alignment = declaration_.capabilities.alignment;
    policy_.deterministic = declaration_.promises.deterministic;
    policy_.batch_invariant = declaration_.promises.batch_invariant;
    policy_.asks_workspace = said.has_workspace;
    policy_.semantics = declaration_.semantics;
    const TileSizes size = tiles(Problem{});
    fit_ = said.capabilities + "|" + said.semantics + "|" + std::to_string(size.queries) + "x" +
           std::to_string(size.keys);
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Semantics semantics() const override { return declaration_.semantics; }
  [[nodiscard]] Problem nearest(const Problem& problem) const override {
    Problem fitted = attest::nearest(declaration_.capabilities, problem);
    if (!declaration_.semantics.align_top_left) fitted.align = Align::bottom_right;
    if (!declaration_.semantics.align_bottom_right) fitted.align = Align::top_left;
    return fitted;
  }
  [[nodiscard]] TileSizes tiles(const Problem& problem) const override {
    const Numerics declared = declaration_.numerics.of(problem);
    return {declared.tile_q.value_or(kUsualTile), declared.tile_k.value_or(kUsualTile)};
  }
  [[nodiscard]] std::string fit() const override { return fit_; }
  [[nodiscard]] std::optional<Unit> own_unit() const override {
    return declaration_.numerics.unit().value_or(Unit::device);
  }
  [[nodiscard]] Numerics numerics(const Problem& problem, Unit) const override {
    return declaration_.numerics.of(problem);
  }
  // Of any problem: what one of them does not fit it declines when it is called.
  [[nodiscard]] std::vector<std::string> configurations(const Problem&, Unit) const override {
    std::vector<std::string> names;
    for (const auto& one : declaration_.configurations) names.push_back(one.name);
    return names;
  }
  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& problem,
                                     Unit) const override {
    const auto& all = declaration_.configurations;
    const auto one = std::ranges::find(all, configuration, &DeclaredConfiguration::name);
    ATTEST_EXPECTS(one != all.end());
    return one->numerics.of(problem);
  }
  [[nodiscard]] bool holds() const override { return declaration_.promises.deterministic; }

  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    if (unit != *own_unit()) return "its unit is " + std::string(name_of(*own_unit()));
    if (problem.pass == Pass::bwd && !declaration_.has_backward) return "it has no backward";
    return beyond(declaration_.capabilities, problem);
  }

  RunOutcome run(const Problem& problem, const ForwardInputs& in, const ForwardOutputs& out,
                 const RunSettings& settings) const override {
    return calls_->run(problem, WorkerStep::forward, policy_, {in.q, in.k, in.v}, {out.o, out.lse},
                       settings);
  }

  RunOutcome run_backward(const Problem& problem, const BackwardInputs& in,
                          const BackwardOutputs& out, const RunSettings& settings) const override {
    std::vector<ConstTensorView> inputs = {in.q, in.k, in.v, in.o, in.lse, in.dout};
    if (in.glse) inputs.push_back(*in.glse);
    return calls_->run(problem, WorkerStep::backward, policy_, inputs, {out.dq, out.dk, out.dv},
                       settings);
  }

 private:
  std::string name_;
  Declaration declaration_;
  std::string fit_;
  CallPolicy policy_;
  std::shared_ptr<IsolatedCalls> calls_;  // of all subjects of the library
};

[[noreturn]] void refuse(const std::string& library, const std::string& why) {
  throw Error(Blame::subject_load, "plug-in " + library + ": " + why);
}

WorkerReply describe(const std::string& library, WorkerPool& pool) {
  const BorrowedWorker worker(pool, 0);
  worker->send({});
  WorkerReply reply;
  const RunOutcome outcome = worker->receive(reply);
  if (outcome.kind != RunOutcome::Kind::ran) {
    refuse(library, std::string(name_of(outcome.kind)) + " while it was opened: " + outcome.detail);
  }
  if (reply.kind != WorkerReply::Kind::done) refuse(library, reply.detail);
  return reply;
}

Declaration read_declaration(const std::string& library, const DeclaredSubject& said) {
  try {
    return {parse_capabilities(said.capabilities),
            parse_semantics(said.semantics),
            DeclaredNumerics(said.numerics),
            parse_promises(said.promises),
            said.has_backward,
            parse_configurations(said.configurations, said.numerics)};
  } catch (const Error& error) {
    refuse(library, "subject '" + said.name + "': " + error.what());
  }
}

std::shared_ptr<IsolatedCalls> calls_of(const std::string& library, const PluginSettings& settings,
                                        bool confined) {
  const std::filesystem::path path = std::filesystem::absolute(library);
  return std::make_shared<IsolatedCalls>(
      WorkerPlan{settings.worker, {"plugin", path.string()}, settings.patience, confined});
}

}  // namespace

LoadedPlugins load_plugins(const std::string& spec, const PluginSettings& settings) {
  const std::string place = spec.substr(kPluginScheme.size());
  const std::size_t hash = place.rfind('#');
  const std::string library = place.substr(0, hash);
  const std::string wanted = hash == std::string::npos ? "" : place.substr(hash + 1);
  if (library.empty()) refuse("''", "the SPEC is " + std::string(kPluginScheme) + "./lib.so#name");

  const auto confined = calls_of(library, settings, true);
  const WorkerReply reply = describe(library, confined->pool());
  std::shared_ptr<IsolatedCalls> free;
  LoadedPlugins loaded;
  loaded.lacking = reply.detail;
  std::vector<std::string_view> known;
  for (const DeclaredSubject& said : reply.subjects) {
    known.push_back(said.name);
    if (!wanted.empty() && said.name != wanted) continue;
    Declaration declaration = read_declaration(library, said);
    // A driver of a GPU opens devices, and reserves more addresses than there is memory.
    if (declaration.capabilities.cuda && !free) free = calls_of(library, settings, false);
    const auto& calls = declaration.capabilities.cuda ? free : confined;
    loaded.subjects.push_back(
        {said.about,
         std::make_unique<PluginSubject>(std::string(kPluginScheme) + library + "#" + said.name,
                                         said, std::move(declaration), calls)});
  }
  if (loaded.subjects.empty()) refuse(library, unknown_name("subject", wanted, known));
  return loaded;
}

}  // namespace attest
