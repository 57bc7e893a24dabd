#include "harness/bundle/reproducer_text.hpp"

#include "core/contract.hpp"

namespace attest {
namespace {

// Headers and numbers that every program has.
const std::string kHead = R"(//
// What it takes, on any machine: the sources of attest @version@ and a build of them
// (cmake --preset release, cmake --build build/release). In this folder, with the places of both:
//
//   @places@
//   @build@
//
// Then ./reproduce. Exit status: 1 rejected again, 0 accepted, 2 it cannot tell.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/case.hpp"
#include "core/subject.hpp"
#include "harness/subjects/catalogue.hpp"
)";

const std::string kNumbers = R"(
namespace {

using namespace attest;

const std::string kSubject = "@subject@";
const std::string kProblem =
    "@problem@";
constexpr std::uint64_t kScheduleSeed = @seed@;  // of whatever the machine may reorder

// Bits of the problem's formats, row-major: [b, h, row, column].
const std::vector<std::uint64_t> kQ = @q@;
const std::vector<std::uint64_t> kK = @k@;
const std::vector<std::uint64_t> kV = @v@;
const std::vector<std::uint64_t> kDout = @dout@;
const std::vector<std::uint64_t> kGlse = @glse@;

Tensor tensor(Format format, const Extents& extents, const std::vector<std::uint64_t>& bits) {
  Tensor made(format, extents);
  const auto width = static_cast<std::size_t>(bytes_of(format));
  for (std::size_t n = 0; n < bits.size(); ++n) {
    std::memcpy(made.bytes().data() + n * width, &bits[n], width);
  }
  return made;
}

// What a kernel leaves unwritten shows as a NaN.
Tensor unwritten(Format format, const Extents& extents) {
  Tensor made(format, extents);
  for (std::byte& byte : made.bytes()) byte = std::byte{0xff};
  return made;
}

Inputs inputs_of(const Problem& p) {
  Inputs inputs{tensor(p.in, p.q_extents(), kQ), tensor(p.in, p.k_extents(), kK),
                tensor(p.in, p.v_extents(), kV)};
  if (!kDout.empty()) inputs.dout = tensor(p.in, p.o_extents(), kDout);
  if (!kGlse.empty()) inputs.glse = tensor(Format::f32, p.lse_extents(), kGlse);
  return inputs;
}

RunSettings settings() {
  RunSettings chosen;
  chosen.unit = *unit_named("@unit@");
  chosen.schedule_seed = kScheduleSeed;
  chosen.configuration = "@configuration@";
  return chosen;
}

// The names of subjects are those of `attest list subjects`; their sources lie in kernels/.
const Subject& subject() {
  const std::string specs[] = {kSubject};
  return *resolve_subjects(specs).front();
}
)";

}  // namespace

std::string filled(std::string_view text, const TextParts& parts) {
  std::string result;
  while (!text.empty()) {
    const std::size_t begin = text.find('@');
    result += text.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find('@', begin + 1);
    ATTEST_EXPECTS(end != std::string_view::npos);
    const auto part = parts.find(text.substr(begin + 1, end - begin - 1));
    ATTEST_EXPECTS(part != parts.end());
    result += part->second;
    text.remove_prefix(end + 1);
  }
  return result;
}

const std::string kForwardCall = R"(  Tensor o = unwritten(p.out, p.o_extents());
  Tensor lse = unwritten(Format::f32, p.lse_extents());
  const RunOutcome outcome = subject().run(p, {in.q.view(), in.k.view(), in.v.view()},
                                           {o.view(), lse.view()}, settings());)";

const std::string kBackwardCall = R"(  // The backward starts from these, which the forward stored.
  const std::vector<std::uint64_t> o_bits = @o@;
  const std::vector<std::uint64_t> lse_bits = @lse@;
  const Tensor o = tensor(p.out, p.o_extents(), o_bits);
  const Tensor lse = tensor(Format::f32, p.lse_extents(), lse_bits);
  BackwardInputs given{in.q.view(), in.k.view(), in.v.view(),
                       o.view(),    lse.view(),  std::as_const(in.dout).view()};
  if (p.lse_gradient) given.glse = std::as_const(in.glse).view();
  Tensor dq = unwritten(p.out, p.q_extents());
  Tensor dk = unwritten(p.out, p.k_extents());
  Tensor dv = unwritten(p.out, p.v_extents());
  const RunOutcome outcome =
      subject().run_backward(p, given, {dq.view(), dk.view(), dv.view()}, settings());)";

const std::string kRuleOfBudget =
    R"(  // Proved to hold the exact value, and the largest error that the declared arithmetic explains.
  constexpr double lo = @lo@;
  constexpr double hi = @hi@;
  constexpr double budget = @budget@;
  struct Term {
    const char* name;
    double value;
  };
  const std::vector<Term> terms = {
@terms@  };
  const double error = std::fmax(std::fabs(observed - lo), std::fabs(hi - observed));
  std::printf("exact in   [%a, %a]  (about %.9g)\n", lo, hi, lo / 2 + hi / 2);
  std::printf("error      %.3e  budget %.3e  ratio %.3g\n", error, budget, error / budget);
  for (const Term& term : terms) std::printf("  %-24s %.3e\n", term.name, term.value);
  // The near end counts: nothing in the interval is within the budget.
  const double least = observed < lo ? lo - observed : observed > hi ? observed - hi : 0;
  const bool rejected = !(std::isfinite(observed) && least <= budget);)";

const std::string kRuleOfSet = R"(  // What the declared schedule can give.
  constexpr double lo = @lo@;
  constexpr double hi = @hi@;
  std::printf("acceptable from %a to %a\n", lo, hi);
  const bool rejected = !(lo <= observed && observed <= hi);)";

const std::string kRuleOfClass =
    R"(  // No number is due here, or none was stored: the class decides.
  constexpr std::uint64_t rejected_bits = @stored@;
  std::printf("rejected   %llx: @reason@\n", static_cast<unsigned long long>(rejected_bits));
  const bool rejected = bits == rejected_bits;)";

const std::string kElementProgram =
    R"(// reproduce.cpp - @subject@ fails the law @law@ on one element: @element@.
//
// It calls the kernel on the numbers below (@setting@) and compares that
// element with what was proved about it. Neither oracle nor judge is needed.
)" + kHead +
    kNumbers + R"(
}  // namespace

int main() {
  const Problem p = parse_problem(kProblem);
  const Inputs in = inputs_of(p);
@call@
  if (outcome.kind != RunOutcome::Kind::ran) {
    std::printf("the run did not end well: %s\n", outcome.detail.c_str());
    return 2;
  }
  const ConstTensorView view = std::as_const(@tensor@).view();
  const std::uint64_t bits = view.bits(@place@);
  const double observed = view.value(@place@);
  std::printf("@subject@  @law@  @element@\n");
  std::printf("observed   %a  (%llx, %.9g)\n", observed, static_cast<unsigned long long>(bits),
              observed);
@judge@
  std::printf("%s\n", rejected ? "REJECTED: @reason@" : "accepted");
  return rejected ? 1 : 0;
}
)";

const std::string kRunProgram = R"(// reproduce.cpp - a run of @subject@ does not end well.
)" + kHead + kNumbers + R"(
}  // namespace

int main() {
  const Problem p = parse_problem(kProblem);
  const Inputs in = inputs_of(p);
  Tensor o = unwritten(p.out, p.o_extents());
  Tensor lse = unwritten(Format::f32, p.lse_extents());
  RunOutcome outcome = subject().run(p, {in.q.view(), in.k.view(), in.v.view()},
                                     {o.view(), lse.view()}, settings());
  if (p.pass == Pass::bwd && outcome.kind == RunOutcome::Kind::ran) {
    Tensor dq = unwritten(p.out, p.q_extents());
    Tensor dk = unwritten(p.out, p.k_extents());
    Tensor dv = unwritten(p.out, p.v_extents());
    BackwardInputs given{in.q.view(), in.k.view(), in.v.view(),
                         o.view(),    lse.view(),  in.dout.view()};
    if (p.lse_gradient) given.glse = in.glse.view();
    outcome = subject().run_backward(p, given, {dq.view(), dk.view(), dv.view()}, settings());
  }
  const bool rejected = outcome.kind != RunOutcome::Kind::ran;
  std::printf("%s %s\n", rejected ? "REJECTED:" : "accepted", outcome.detail.c_str());
  return rejected ? 1 : 0;
}
)";

const std::string kLawProgram = R"(// reproduce.cpp - @subject@ fails the law @law@.
//
// This law does not judge a number: it compares calls, or counts. So the program asks the law
// itself, which calls the kernel as often as it needs.
)" + kHead + R"(#include "harness/campaign/check_case.hpp"
)" + kNumbers + R"(
}  // namespace

int main() {
  const Problem p = parse_problem(kProblem);
  const Case c{p, inputs_of(p)};
  const Subject* const subjects[] = {&subject()};
  const Law* const laws[] = {&law_named("@law@")};
  RunChoice choice{{settings().unit}, 0, kScheduleSeed};
  choice.configuration = settings().configuration;
  const CaseResult result = check_case(c, std::get<Inputs>(c.data), subjects, laws, choice);
  const SubjectResult& run = result.subjects.front();
  for (const LawResult& law : run.laws) std::printf("%s\n", law.outcome.detail.c_str());
  if (run.trouble.kind != RunOutcome::Kind::ran) std::printf("%s\n", run.trouble.detail.c_str());
  const bool rejected = verdict_of(run) == Verdict::reject;
  std::printf("%s\n", rejected ? "REJECTED by @law@" : "accepted");
  return rejected ? 1 : 0;
}
)";

}  // namespace attest
