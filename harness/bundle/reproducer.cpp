#include "harness/bundle/reproducer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/error.hpp"
#include "core/hex_float.hpp"
#include "harness/bundle/environment.hpp"
#include "harness/bundle/recording_subject.hpp"
#include "harness/bundle/reproducer_text.hpp"
#include "harness/report/failing_report.hpp"
#include "harness/subjects/catalogue.hpp"
#include "harness/subjects/program_files.hpp"

namespace attest {
namespace {

const Tensor& tensor_of(const Outputs& outputs, OutputTensor tensor) {
  switch (tensor) {
    case OutputTensor::lse: return outputs.lse;
    case OutputTensor::dq: return outputs.dq;
    case OutputTensor::dk: return outputs.dk;
    case OutputTensor::dv: return outputs.dv;
    case OutputTensor::o: break;
  }
  return outputs.o;
}

bool is_gradient(OutputTensor tensor) {
  return tensor != OutputTensor::o && tensor != OutputTensor::lse;
}

// Did this call give the element?
bool gave(const WatchedCall& call, const ElementJudgement& e) {
  const Tensor& tensor = tensor_of(call.outputs, e.tensor);
  if (call.backward != is_gradient(e.tensor) || tensor.format() != e.format) return false;
  const Extents& extents = tensor.extents();
  if (e.b >= extents[0] || e.h >= extents[1] || e.i >= extents[2] || e.k >= extents[3]) {
    return false;
  }
  return tensor.view().bits(e.b, e.h, e.i, e.k) == e.bits;
}

// What the law judged last, again with a memory.
struct Judged {
  LawOutcome outcome;
  std::optional<WatchedCall> call;  // that gave the element
};

Judged judge_again(const Failure& f, const Inputs& inputs, const OracleMemory& oracle) {
  const RecordingSubject recording(*f.subject);
  const Subject* const subjects[] = {&recording};
  const Law* const laws[] = {&law_named(f.law)};
  RunChoice choice{{f.unit}, 0, f.schedule_seed, 1};
  choice.oracle = oracle;
  choice.configuration = f.configuration;
  const Case& c = f.shrunk.smallest;
  const CaseResult result =
      check_case(c, inputs, enclose(c.problem, inputs, oracle), subjects, laws, choice);
  Judged judged;
  for (const LawResult& one : result.subjects.front().laws) judged.outcome = one.outcome;
  if (!judged.outcome.judgement) return judged;
  const ElementJudgement* shown = judged.outcome.judgement->worst();
  if (shown == nullptr || shown->verdict != Verdict::reject) return judged;
  for (auto call = recording.calls().rbegin(); call != recording.calls().rend(); ++call) {
    if (!gave(*call, *shown)) continue;
    judged.call = *call;
    break;
  }
  return judged;
}

// "{0x3c00, 0x0000}", row-major, ten a line.
std::string numbers(const Tensor& tensor) {
  const auto width = static_cast<std::size_t>(bytes_of(tensor.format()));
  std::string text = "{";
  for (std::size_t n = 0; n * width < tensor.bytes().size(); ++n) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, tensor.bytes().data() + n * width, width);
    if (n > 0) text += n % 10 == 0 ? ",\n    " : ", ";
    text += fmt::format("0x{:0{}x}", bits, 2 * width);
  }
  return text + "}";
}

void fill_inputs(TextParts& parts, const Problem& problem, const Inputs& inputs) {
  parts["problem"] = to_string(problem);
  parts["q"] = numbers(inputs.q);
  parts["k"] = numbers(inputs.k);
  parts["v"] = numbers(inputs.v);
  parts["dout"] = numbers(inputs.dout);
  parts["glse"] = numbers(inputs.glse);
}

void fill_recipe(TextParts& parts, const BuildRecipe& recipe) {
  parts["version"] = std::string(attest_version());
  parts["places"] = recipe.places;
  parts["build"] = recipe.command;
}

void fill_element(TextParts& parts, const ElementJudgement& e, const LawOutcome& outcome) {
  parts["element"] = place_of(e);
  parts["tensor"] = std::string(name_of(e.tensor));
  parts["place"] = fmt::format("{}, {}, {}, {}", e.b, e.h, e.i, e.k);
  parts["setting"] = outcome.setting.empty() ? "the case's own call" : outcome.setting;
  parts["reason"] = e.reason;
  parts["stored"] = fmt::format("0x{:0{}x}", e.bits, 2 * bytes_of(e.format));
  parts["lo"] = to_hex(e.exact.lo);
  parts["hi"] = to_hex(e.exact.hi);
  parts["budget"] = to_hex(e.budget.total);
  std::string terms;
  for (const BudgetTerm& term : e.budget.terms) {
    terms += fmt::format("    {{\"{}\", {}}},\n", term.name, to_hex(term.value));
  }
  parts["terms"] = terms;
}

// By number: a finite exact value and a finite budget, or an interval of acceptable values.
bool is_by_number(const ElementJudgement& e) {
  if (e.exact_class != OutputClass::finite) return false;
  if (!std::isfinite(e.exact.lo) || !std::isfinite(e.exact.hi)) return false;
  return e.replayed || e.budget.unbounded == Unbounded::no;
}

std::string by_element(TextParts parts, const Failure& f, const Judged& judged) {
  const ElementJudgement& e = *judged.outcome.judgement->worst();
  const WatchedCall& call = *judged.call;
  fill_inputs(parts, call.problem, call.inputs);
  fill_element(parts, e, judged.outcome);
  parts["o"] = numbers(call.backward ? call.outputs.o : Tensor());
  parts["lse"] = numbers(call.backward ? call.outputs.lse : Tensor());
  fill_recipe(parts, build_recipe(false));
  parts["law"] = f.law;
  const std::string rule = !is_by_number(e) ? kRuleOfClass
                           : e.replayed     ? kRuleOfSet
                                            : kRuleOfBudget;
  parts["call"] = filled(call.backward ? kBackwardCall : kForwardCall, parts);
  parts["judge"] = filled(rule, parts);
  return filled(kElementProgram, parts);
}

}  // namespace

std::optional<std::string> reproducer(const Failure& failure, const Inputs& inputs,
                                      const OracleMemory& oracle) {
  const std::string name = failure.subject->name();
  const bool bundled = std::ranges::any_of(
      catalogue(), [&](const CatalogueEntry& entry) { return entry.name == name; });
  if (!bundled || bytes_of(inputs) > kMostReproduced) return std::nullopt;
  const Problem& problem = failure.shrunk.smallest.problem;
  TextParts parts = {{"subject", name},
                     {"law", failure.law},
                     {"unit", std::string(name_of(failure.unit))},
                     {"seed", std::to_string(failure.schedule_seed)},
                     {"configuration", failure.configuration}};
  // What a subject remembers of an earlier call does not show in one call.
  const bool in_one_call = failure.law != kRunItself && failure.law != "two_calls";
  if (in_one_call && failure.trouble.kind == RunOutcome::Kind::ran) {
    const Judged judged = judge_again(failure, inputs, oracle);
    if (judged.call) return by_element(parts, failure, judged);
  }
  fill_inputs(parts, problem, inputs);
  const bool of_run = failure.law == kRunItself;
  fill_recipe(parts, build_recipe(!of_run));
  return filled(of_run ? kRunProgram : kLawProgram, parts);
}

BuildRecipe build_recipe(bool with_laws) {
  const std::filesystem::path file = companion_data("reproducer_build.txt");
  std::ifstream lines(file);
  BuildRecipe recipe;
  std::getline(lines, recipe.places);
  std::getline(lines, recipe.command);
  if (with_laws) std::getline(lines, recipe.command);
  if (!lines) throw Error(Blame::ours, "file " + file.string() + " cannot be read");
  return recipe;
}

}  // namespace attest
