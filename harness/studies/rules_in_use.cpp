#include "harness/studies/rules_in_use.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/studies/companion.hpp"
#include "harness/subjects/catalogue.hpp"
#include "judge/judge_forward.hpp"
#include "judge/rivals.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"
#include "properties/family.hpp"
#include "properties/law.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kDrawSeed = 1;
constexpr std::string_view kGaussian = "F0";

// Emulated subjects take a thousand times as long, and their arithmetic is as healthy.
bool takes_part(const CatalogueEntry& entry) {
  if (entry.is_canary())
    return entry.pass == Pass::fwd && entry.control.find("tiled") == std::string::npos;
  return entry.name == "plain" || entry.name.starts_with("variant/plain");
}

// Rows at or beyond lq hold nothing that a rule could look at.
std::vector<double> kept(const std::vector<double>& all, const std::vector<OutputClass>& classes) {
  std::vector<double> values;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (classes[n] != OutputClass::beyond) values.push_back(all[n]);
  }
  return values;
}

// Enclosures are far narrower than any limit of a rule.
std::vector<double> middles(const std::vector<Enclosure>& enclosures) {
  std::vector<double> all;
  for (const Enclosure& e : enclosures) all.push_back(e.lo + (e.hi - e.lo) / 2);
  return all;
}

std::vector<double> values_of(const Tensor& tensor) {
  const ConstTensorView view = tensor.view();
  const Extents& e = tensor.extents();
  std::vector<double> all;
  for (Index b = 0; b < e[0]; ++b) {
    for (Index h = 0; h < e[1]; ++h) {
      for (Index row = 0; row < e[2]; ++row) {
        for (Index column = 0; column < e[3]; ++column) {
          all.push_back(view.value(b, h, row, column));
        }
      }
    }
  }
  return all;
}

// Does each element have one number? No rule says what is right where none has.
bool has_numbers(const Answer& answer) {
  const auto numbers = [](OutputClass c) {
    return c == OutputClass::finite || c == OutputClass::dead || c == OutputClass::beyond;
  };
  return std::ranges::all_of(answer.o_class, numbers) &&
         std::ranges::all_of(answer.lse_class, numbers);
}

RuledOutputs exact_outputs(const Case& c, const Inputs& inputs, const Answer& answer) {
  RuledOutputs ruled;
  ruled.format = c.problem.out;
  std::vector<double> lse = middles(answer.lse);
  for (std::size_t row = 0; row < lse.size(); ++row) {
    if (answer.lse_class[row] == OutputClass::dead) lse[row] = -INFINITY;
  }
  ruled.exact_o = kept(middles(answer.o), answer.o_class);
  ruled.exact_lse = kept(lse, answer.lse_class);
  ruled.companion_o = kept(companion_output(c.problem, inputs), answer.o_class);
  return ruled;
}

struct RunCase {
  const Case& c;
  const Inputs& inputs;
  const Answer& answer;
  RuledOutputs& ruled;  // of the case; what a run left joins it

  [[nodiscard]] bool is_gaussian() const {
    return std::get<FamilyData>(c.data).family == kGaussian;
  }
};

bool rejects(const Law& law, const LawContext& context) {
  if (!law.speaks_of(Pass::fwd)) return false;
  const LawOutcome outcome = law.check(context);
  return outcome.applicable &&
         (outcome.verdict == Verdict::reject || outcome.trouble.kind != RunOutcome::Kind::ran);
}

// Of one run: which rules reject it. Laws are asked only if `all_laws`, since that takes many runs.
std::vector<bool> rejections(const RunCase& one, const Subject& subject, bool all_laws) {
  const RunSettings settings;
  const Execution run = execute(subject, one.c.problem, one.inputs, settings);
  if (run.outcome.kind != RunOutcome::Kind::ran) {
    return std::vector<bool>(rival_rules().size() + 2, true);
  }
  one.ruled.o = kept(values_of(run.outputs.o), one.answer.o_class);
  one.ruled.lse = kept(values_of(run.outputs.lse), one.answer.lse_class);
  std::vector<bool> rejected;
  for (const RivalRule& rule : rival_rules()) rejected.push_back(!rule.accepts(one.ruled));
  SharedAnswers shared;
  const LawContext context{.problem = one.c.problem,
                           .inputs = one.inputs,
                           .answer = one.answer,
                           .subject = subject,
                           .settings = settings,
                           .outputs = run.outputs,
                           .shared = &shared};
  const bool by_accuracy = rejects(law_named("accuracy"), context);
  rejected.push_back(by_accuracy);
  const bool by_any = by_accuracy || (all_laws && std::ranges::any_of(laws(), [&](const Law& law) {
                                        return rejects(law, context);
                                      }));
  rejected.push_back(by_any);
  return rejected;
}

RulesInUse empty_study() {
  RulesInUse study;
  for (const RivalRule& rule : rival_rules()) {
    study.rules.push_back({.name = rule.name, .source = rule.source, .words = rule.words});
  }
  study.rules.push_back({.name = "attest, one run",
                         .source = "the law accuracy",
                         .words = "each within its budget, O and LSE"});
  study.rules.push_back({.name = "attest", .source = "all laws", .words = "no law rejects"});
  for (const CatalogueEntry& entry : catalogue()) {
    if (takes_part(entry)) ++(entry.is_canary() ? study.canaries : study.healthy);
  }
  return study;
}

void count_healthy(const RunCase& one, const std::vector<bool>& rejected, RulesInUse& study) {
  ++study.healthy_runs;
  study.gaussian_healthy_runs += one.is_gaussian();
  for (std::size_t n = 0; n < rejected.size(); ++n) {
    study.rules[n].false_alarms += rejected[n];
    study.rules[n].false_alarms_on_gaussian += rejected[n] && one.is_gaussian();
  }
}

void count_canary(const RunCase& one, const CatalogueEntry& canary,
                  const std::vector<bool>& of_control, RulesInUse& study) {
  // Nothing is left to learn of laws where the canary has been caught on such a case.
  const RuleCounts& by_laws = study.rules.back();
  const auto& caught = one.is_gaussian() ? by_laws.caught_on_gaussian : by_laws.caught;
  const auto rejected = rejections(one, *canary.subject, !caught.contains(canary.name));
  for (std::size_t n = 0; n < rejected.size(); ++n) {
    if (!rejected[n] || of_control[n]) continue;
    study.rules[n].caught.insert(canary.name);
    if (one.is_gaussian()) study.rules[n].caught_on_gaussian.insert(canary.name);
  }
}

void run_case(const Case& c, RulesInUse& study) {
  const Inputs inputs = materialise(c);
  const Answer answer = enclose_forward(c.problem, inputs);
  if (!has_numbers(answer)) return;
  RuledOutputs ruled = exact_outputs(c, inputs, answer);
  const RunCase one{c, inputs, answer, ruled};
  ++study.cases;
  study.gaussian_cases += one.is_gaussian();
  std::map<std::string, std::vector<bool>> of_healthy;
  for (const CatalogueEntry& entry : catalogue()) {  // healthy ones first
    if (!takes_part(entry) || entry.subject->unsupported(c.problem, Unit::fp32_seq)) continue;
    if (entry.is_canary()) {
      const std::string control = entry.control == "canary/none" ? "plain" : entry.control;
      count_canary(one, entry, of_healthy.at(control), study);
      continue;
    }
    const auto rejected = of_healthy[entry.name] = rejections(one, *entry.subject, true);
    count_healthy(one, rejected, study);
  }
}

}  // namespace

RulesInUse compare_rules(const std::vector<std::string_view>& families, int of_each) {
  RulesInUse study = empty_study();
  const std::size_t turns = families_of(Pass::fwd).size();
  for (std::uint64_t index = 0; index < 2 * turns * static_cast<std::uint64_t>(of_each); ++index) {
    const std::string_view family = families_of(Pass::fwd)[index / 2 % turns]->name;
    if (std::ranges::find(families, family) == families.end()) continue;
    run_case(draw(kDrawSeed, index), study);
  }
  return study;
}

std::vector<StudyFile> make_rules_in_use() {
  std::vector<std::string_view> all;
  for (const Family* family : families_of(Pass::fwd)) all.push_back(family->name);
  const RulesInUse study = compare_rules(all, 12);
  return {{"README.md", rules_page(study)}, {"data.csv", rules_csv(study)}};
}

}  // namespace attest
