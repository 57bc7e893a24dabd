// Goal: a replay accepts what the bundled kernels compute, knows most of their gradients to the
// last bit, rejects what a budget cannot see, and says of what it knows nothing.
#include "judge/replay_backward.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "kernels/attention/tiled.hpp"
#include "kernels/canaries/faults/ds_truncated.hpp"
#include "kernels/canaries/faults/m36_narrow_d.hpp"
#include "kernels/canaries/plain.hpp"
#include "kernels/canaries/plain_subject.hpp"
#include "oracle/enclose_backward.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"
#include "properties/laws/replayed_gradients.hpp"

namespace attest::replay_backward_test {
namespace {

struct KernelRun {
  Problem p;
  Inputs inputs;
  Numerics numerics;
  Outputs outputs;

  KernelRun(const Case& c, const Subject& subject, Unit unit)
      : p(c.problem),
        inputs(materialise(c)),
        numerics(subject.numerics(p, unit)),
        outputs(execute(subject, p, inputs, {unit}).outputs) {}

  [[nodiscard]] Gradients gradients() const {
    return {outputs.dq.view(), outputs.dk.view(), outputs.dv.view()};
  }
  [[nodiscard]] Judgement replay() const {
    Judgement result;
    replay_gradients(p, inputs, numerics, {outputs.o.view(), outputs.lse.view(), gradients()},
                     result);
    return result;
  }
  // The same O and LSE taken as exact, by the budget that knows no schedule.
  [[nodiscard]] Verdict stage_verdict() const {
    const StoredForward stored{outputs.o.view(), outputs.lse.view()};
    return judge_backward(p, inputs, Answer(p), enclose_backward(p, inputs, stored),
                          View::stage_wise, numerics, {}, gradients(), Rows::live)
        .verdict();
  }
};

Case gaussian_case(const std::string& format, const std::string& shape) {
  return parse_case("attest1:b=1;" + shape + ";in=" + format + ";out=" + format +
                    ";scale=0x1p-3;left=inf;right=inf;align=br;pass=bwd;family=F0;seed=1");
}

Case large_case(const std::string& format) {
  return gaussian_case(format, "hq=1;hk=1;nq=64;nk=320;dqk=64;dv=64");
}

double share(const TensorJudgement& count) {
  return static_cast<double>(count.single) / static_cast<double>(count.judged);
}

std::unique_ptr<Subject> tiled() {
  auto subjects = tiled_subjects();
  return std::move(subjects.front().subject);
}

TEST(ReplayBackward, KnowsFourOfFiveElementsOfDvToTheBitOnGaussianBf16) {
  const Judgement result = KernelRun(large_case("bf16"), *tiled(), Unit::h100).replay();
  EXPECT_EQ(result.verdict(), Verdict::accept);
  const TensorJudgement &dq = result.dq, &dk = result.dk, &dv = result.dv;
  std::cout << "one acceptable value: dQ " << share(dq) << ", dK " << share(dk) << ", dV "
            << share(dv) << '\n';
  EXPECT_EQ(dq.judged, 64 * 64);
  EXPECT_EQ(dv.judged, 320 * 64);
  EXPECT_EQ(dq.left + dk.left + dv.left, 0);
  EXPECT_GE(share(dv), 0.8);
  EXPECT_GE(share(dk), 0.8);
  EXPECT_GE(share(dq), 0.65);
}

TEST(ReplayBackward, KnowsMoreWhereTheUnitsDotProductsAreDeclaredInOrder) {
  for (const char* format : {"f16", "bf16"}) {
    KernelRun run(large_case(format), *tiled(), Unit::h100);
    const Judgement known = run.replay();
    run.numerics.dot_order = DotOrder::any;
    const Judgement open = run.replay();
    EXPECT_EQ(known.verdict(), Verdict::accept);
    std::cout << format << ": dQ " << share(open.dq) << " to " << share(known.dq) << ", dK "
              << share(open.dk) << " to " << share(known.dk) << ", dV " << share(open.dv) << " to "
              << share(known.dv) << '\n';
    EXPECT_GT(share(known.dq), share(open.dq));
    EXPECT_GT(share(known.dk), share(open.dk));
    EXPECT_GT(share(known.dv), share(open.dv));
  }
}

TEST(ReplayBackward, AcceptsHeadsThatAreAddedInAnyWay) {
  const Case c = gaussian_case("f16", "hq=6;hk=2;nq=9;nk=21;dqk=5;dv=3");
  for (const PlainForm& form : plain_forms()) {
    const auto subject = make_plain(std::string(form.name), form.config);
    const Judgement result = KernelRun(c, *subject, Unit::fp32_seq).replay();
    EXPECT_EQ(result.verdict(), Verdict::accept) << form.name;
    EXPECT_EQ(result.dk.judged, 2 * 21 * 5) << form.name;
  }
}

TEST(ReplayBackward, RejectsTheNeighbourOfTheOnlyValue) {
  const KernelRun run(gaussian_case("bf16", "hq=1;hk=1;nq=8;nk=24;dqk=8;dv=8"), *tiled(),
                      Unit::h100);
  Index rejected = 0;
  const Judgement before = run.replay();
  for (Index k = 0; k < run.p.d_v; ++k) {
    KernelRun moved = run;
    const TensorView dv = moved.outputs.dv.view();
    dv.set_bits(0, 0, 3, k, dv.bits(0, 0, 3, k) + 1);
    const Judgement after = moved.replay();
    EXPECT_EQ(after.dv.single, before.dv.single);
    if (after.dv.rejected == 0) continue;
    ++rejected;
    const ElementJudgement& worst = *after.worst();
    EXPECT_EQ(worst.tensor, OutputTensor::dv);
    EXPECT_EQ(worst.i, 3);
    EXPECT_EQ(worst.k, k);
  }
  EXPECT_GE(rejected, 6);
}

// What a stage-wise budget accepts and a replay does not.
template <class Fault>
void expect_seen_by_replay_alone(const std::string& format) {
  SCOPED_TRACE(std::string(Fault::kName) + " in " + format);
  const PlainSubject<NoFault, Fault> subject("faulty");
  const KernelRun run(gaussian_case(format, "hq=1;hk=1;nq=32;nk=64;dqk=16;dv=16"), subject,
                      Unit::fp32_seq);
  EXPECT_EQ(run.stage_verdict(), Verdict::accept);
  const Judgement replayed = run.replay();
  EXPECT_EQ(replayed.verdict(), Verdict::reject);
  EXPECT_GT(replayed.dq.rejected, 0);
  EXPECT_GT(replayed.dk.rejected, 0);
  EXPECT_EQ(replayed.dv.rejected, 0);
}

TEST(ReplayBackward, SeesWhatABudgetCannot) {
  for (const char* format : {"f16", "bf16"}) {
    expect_seen_by_replay_alone<NarrowD<Format::f16>>(format);
    expect_seen_by_replay_alone<DsTruncated>(format);
  }
  expect_seen_by_replay_alone<NarrowD<Format::bf16>>("bf16");
}

TEST(ReplayBackward, RejectsANaN) {
  KernelRun run(gaussian_case("f16", "hq=1;hk=1;nq=4;nk=8;dqk=4;dv=4"), *tiled(), Unit::a100);
  run.outputs.dk.view().set_bits(0, 0, 5, 1, 0x7fff);
  EXPECT_EQ(run.replay().dk.rejected, 1);
}

TEST(ReplayBackward, LeavesToTheBudgetWhatALiveNaNReaches) {
  KernelRun run(gaussian_case("f16", "hq=1;hk=1;nq=4;nk=8;dqk=4;dv=4"), *make_plain("plain"),
                Unit::fp32_seq);
  run.inputs.q.view().set_bits(0, 0, 2, 0, 0x7fff);
  const Judgement result = run.replay();
  EXPECT_EQ(result.dq.left, 4);
  EXPECT_EQ(result.dq.judged, 3 * 4);
  EXPECT_EQ(result.dk.judged + result.dv.judged, 0);
  EXPECT_EQ(result.dv.left, 8 * 4);
}

TEST(ReplayBackward, JudgesNoElementThatNoLivePairReaches) {
  Case c = gaussian_case("f16", "hq=1;hk=1;nq=3;nk=5;dqk=2;dv=2");
  c.problem.right = 0;
  c.problem.align = Align::top_left;  // keys 3 and 4 are dead
  const Judgement result = KernelRun(c, *make_plain("plain"), Unit::fp32_seq).replay();
  EXPECT_EQ(result.dq.judged, 3 * 2);
  EXPECT_EQ(result.dk.judged, 3 * 2);
  EXPECT_EQ(result.dv.judged + result.dv.left, 3 * 2);
}

}  // namespace
}  // namespace attest::replay_backward_test
