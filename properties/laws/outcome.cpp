#include "properties/laws/outcome.hpp"

#include <cstdio>

namespace attest {
namespace {

// The same words as a failing report's head: o[b=0 h=2 i=17 d=5].
std::string describe(const ElementJudgement& e) {
  char bits[24];
  std::snprintf(bits, sizeof bits, "%0*llx", 2 * bytes_of(e.format),
                static_cast<unsigned long long>(e.bits));
  std::string text = std::string(name_of(e.tensor)) + "[b=" + std::to_string(e.b) +
                     " h=" + std::to_string(e.h) + (has_key_rows(e.tensor) ? " j=" : " i=") +
                     std::to_string(e.i);
  if (e.tensor != OutputTensor::lse) text += " d=" + std::to_string(e.k);
  return text + "] is " + std::string(shape_of(e.format).name) + " " + bits + ": " + e.reason;
}

}  // namespace

LawOutcome not_applicable() {
  LawOutcome outcome;
  outcome.applicable = false;
  return outcome;
}

LawOutcome outcome_of(Judgement judgement) {
  if (judgement.judged() == 0) return not_applicable();
  LawOutcome outcome;
  outcome.verdict = judgement.verdict();
  const ElementJudgement* worst = judgement.worst();
  if (outcome.verdict != Verdict::accept && worst != nullptr) outcome.detail = describe(*worst);
  outcome.judgement = std::move(judgement);
  return outcome;
}

LawOutcome troubled(const RunOutcome& trouble, const std::string& run) {
  LawOutcome outcome = rejected("the run " + run + " did not end well: " + trouble.detail);
  outcome.trouble = trouble;
  return outcome;
}

LawOutcome rejected(const std::string& detail) {
  LawOutcome outcome;
  outcome.verdict = Verdict::reject;
  outcome.detail = detail;
  return outcome;
}

bool has_outputs(const Problem& problem) {
  return problem.n_q > 0 || (problem.pass == Pass::bwd && problem.n_k > 0);
}

}  // namespace attest
