#include "properties/laws/outcome.hpp"

#include <cstdio>

namespace attest {
namespace {

std::string hex_bits(std::uint64_t bits, Format format) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llx", 2 * bytes_of(format),
                static_cast<unsigned long long>(bits));
  return std::string(shape_of(format).name) + " " + text;
}

std::string describe(const ElementJudgement& e) {
  return std::string(name_of(e.tensor)) + "[b=" + std::to_string(e.b) +
         " h=" + std::to_string(e.h) + " i=" + std::to_string(e.i) + " k=" + std::to_string(e.k) +
         "] is " + hex_bits(e.bits, e.format) + ": " + e.reason;
}

}  // namespace

LawOutcome not_applicable() {
  LawOutcome outcome;
  outcome.applicable = false;
  return outcome;
}

LawOutcome outcome_of(ForwardJudgement judgement) {
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

}  // namespace attest
