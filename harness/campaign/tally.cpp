#include "harness/campaign/tally.hpp"

#include <algorithm>
#include <variant>

#include "core/contract.hpp"
#include "properties/family.hpp"
#include "properties/shape_class.hpp"

namespace attest {
namespace {

std::size_t slot(Format format) { return static_cast<std::size_t>(format); }

void count(LawCounts& counts, const LawResult& law) {
  const Verdict verdict = law.outcome.verdict;
  if (verdict == Verdict::accept) ++counts.accepted;
  if (verdict == Verdict::reject) ++counts.rejected;
  if (verdict == Verdict::undecided) ++counts.undecided;
  counts.seconds += law.seconds;
  if (!law.outcome.judgement) return;
  for (const TensorJudgement* tensor : law.outcome.judgement->tensors()) {
    if (tensor->judged == 0) continue;
    counts.worst_ratio = std::max(counts.worst_ratio.value_or(0), tensor->worst_ratio);
  }
}

bool stores_narrow_scores(const SubjectResult& result, const Problem& problem) {
  const auto store = result.subject->numerics(problem, result.unit).s_store;
  return store == ScoreStore::f16 || store == ScoreStore::bf16;
}

void raise(std::array<double, 3>& worst, const Judgement& judgement) {
  const TensorJudgement* const gradients[] = {&judgement.dq, &judgement.dk, &judgement.dv};
  for (std::size_t n = 0; n < worst.size(); ++n) {
    worst[n] = std::max(worst[n], gradients[n]->worst_ratio);
  }
}

void add_ratios(FamilyTally& family, const SubjectResult& result, const Problem& problem) {
  for (const LawResult& law : result.laws) {
    if (!law.outcome.judgement) continue;
    const Judgement& judgement = *law.outcome.judgement;
    auto* by_subject = &family.gradients;
    if (law.law->name == "accuracy") {
      family.worst_o = std::max(family.worst_o, judgement.o.worst_ratio);
      family.worst_lse = std::max(family.worst_lse, judgement.lse.worst_ratio);
      by_subject = &family.elements;
    } else if (law.law->name == "gradient_accuracy") {
      raise(family.worst_gradients, judgement);
    } else if (law.law->name == "stage_accuracy") {
      raise(family.worst_stages, judgement);
    } else {
      continue;
    }
    ElementCounts& elements = (*by_subject)[result.subject->name()];
    elements.judged += judgement.judged();
    for (const TensorJudgement* tensor : judgement.tensors()) {
      elements.unbounded += tensor->unbounded;
    }
    elements.narrow_scores = stores_narrow_scores(result, problem);
  }
}

void add_replay(std::array<ReplayCounts, 5>& counts, const Judgement& judgement) {
  const auto tensors = judgement.tensors();
  for (std::size_t n = 0; n < counts.size(); ++n) counts[n].add(*tensors[n]);
}

void add_features(Tally& tally, const CaseResult& result) {
  const Pass pass = result.c.problem.pass;
  const Features features = features_of(result.c);
  RunPairs& pairs = tally.run_pairs.try_emplace(pass, pass).first->second;
  bool ran = false;
  for (const SubjectResult& run : result.subjects) {
    if (run.unsupported) continue;
    ran = true;
    pairs.meet(run_features_of(*run.subject, result.c.problem, run.unit), features);
  }
  tally.features.push_back({pass, features, ran});
}

double share_of(double part, Index whole) {
  return whole == 0 ? 0 : part / static_cast<double>(whole);
}

}  // namespace

void ReplayCounts::add(const TensorJudgement& tensor) {
  judged += tensor.judged;
  left += tensor.left;
  single += tensor.single;
  width_sum += tensor.width_sum;
}

double ReplayCounts::single_share() const { return share_of(static_cast<double>(single), judged); }
double ReplayCounts::mean_width() const { return share_of(width_sum, judged); }

Index FamilyTally::judged() const {
  Index total = 0;
  for (const auto& [subject, counts] : elements) total += counts.judged;
  return total;
}

Index FamilyTally::judged_in_all() const {
  Index total = judged();
  for (const auto& [subject, counts] : gradients) total += counts.judged;
  return total;
}

Index FamilyTally::unbounded() const {
  Index total = 0;
  for (const auto& [subject, counts] : elements) total += counts.unbounded;
  return total;
}

bool FamilyTally::has_to_be_bounded(const ElementCounts& counts) const {
  return !(counts.narrow_scores && family_named(name).large_scores);
}

double FamilyTally::worst_unbounded_share() const {
  double worst = 0;
  for (const auto* by_subject : {&elements, &gradients}) {
    for (const auto& [subject, counts] : *by_subject) {
      if (has_to_be_bounded(counts)) worst = std::max(worst, counts.unbounded_share());
    }
  }
  return worst;
}

Index SubjectTally::troubled() const {
  Index all = 0;
  for (const auto& [kind, count] : endings) all += count;
  return all;
}

Tally::Tally() {
  for (const Law& law : attest::laws()) laws.emplace_back(law.name);
  for (const Family& family : attest::families()) {
    families.emplace_back();
    families.back().name = family.name;
    families.back().title = family.title;
    families.back().backward_only = family.backward_only;
  }
  for (const ShapeClass& shape : attest::shape_classes()) {
    shape_classes[std::string(shape.name)] = 0;
  }
}

void Tally::add(const CaseResult& result) {
  bits = std::max(bits, result.bits);
  for (const SubjectResult& run : result.subjects) {
    const std::string name = run.subject->name();
    if (run.unsupported) {
      ++unsupported[name];
      ++reasons[name][*run.unsupported];
      continue;
    }
    SubjectTally& subject = subjects[{name, result.c.problem.in, run.unit, result.c.problem.pass}];
    ++subject.cases;
    if (run.key_tiles >= 3) ++subject.three_tiles;
    if (run.shared) ++subject.shared;
    if (!run.digest.empty()) subject.digests[result.id] = run.digest;
    if (!run.shared) subject.seconds += run.seconds;
    if (run.trouble.kind != RunOutcome::Kind::ran) ++subject.endings[run.trouble.kind];
    for (const LawResult& law : run.laws) {
      count(subject.laws[std::string(law.law->name)], law);
      if (!law.outcome.judgement) continue;
      if (law.law->name == "replay") {
        add_replay(subject.replay, *law.outcome.judgement);
        continue;
      }
      subject.elements += law.outcome.judgement->judged();
      subject.signed_error_sum += law.outcome.judgement->o.signed_error_sum;
      subject.bounded += law.outcome.judgement->o.bounded;
      subject.assumed = law.outcome.judgement->assumed;
    }
  }
}

void Tally::add_fresh(const CaseResult& result) {
  const Problem& problem = result.c.problem;
  ++fresh[slot(problem.in)];
  add_features(*this, result);
  FamilyTally& reached = family(std::get<FamilyData>(result.c.data).family);
  ++reached.cases[slot(problem.in)];
  for (const SubjectResult& run : result.subjects) add_ratios(reached, run, problem);
  for (const ShapeClass& shape : attest::shape_classes()) {
    if (!shape.holds(problem)) continue;
    ++shape_classes[std::string(shape.name)];
    if (shape.name == "three_tiles") ++fresh_three_tiles[slot(problem.in)];
  }
}

std::vector<std::string> Tally::laws_of(Pass pass) const {
  std::vector<std::string> names;
  for (const std::string& name : laws) {
    if (law_named(name).speaks_of(pass)) names.push_back(name);
  }
  return names;
}

FamilyTally& Tally::family(std::string_view name) {
  const auto found = std::ranges::find(families, name, &FamilyTally::name);
  ATTEST_EXPECTS(found != families.end());
  return *found;
}

Index Tally::cases() const {
  Index total = goldens + counterexamples;
  for (const Index count : fresh) total += count;
  return total;
}

Index Tally::judged() const {
  Index total = 0;
  for (const auto& [key, subject] : subjects) {
    for (const auto& [name, law] : subject.laws) {
      total += law.accepted + law.rejected + law.undecided;
    }
  }
  return total;
}

}  // namespace attest
