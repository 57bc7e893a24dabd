// Goal: what a run adds to a case is what its declaration says, and each feature that met it counts
// once.
#include "properties/covering/run_pairs.hpp"

#include <gtest/gtest.h>

#include "kernels/canaries/plain.hpp"
#include "properties/draw.hpp"

namespace attest::run_pairs_test {
namespace {

// As plain, but with another arithmetic.
class Declared final : public Subject {
 public:
  explicit Declared(Numerics numerics) : numerics_(std::move(numerics)) {}
  [[nodiscard]] std::string name() const override { return "declared"; }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem&, Unit) const override {
    return std::nullopt;
  }
  [[nodiscard]] Numerics numerics(const Problem&, Unit) const override { return numerics_; }
  [[nodiscard]] Semantics semantics() const override { return {}; }
  RunOutcome run(const Problem&, const ForwardInputs&, const ForwardOutputs&,
                 const RunSettings&) const override {
    return {};
  }

 private:
  Numerics numerics_;
};

using Texts = std::vector<std::string>;

TEST(RunPairs, SayWhatADeclarationSays) {
  Problem p;
  p.n_k = 100;
  Numerics numerics;
  EXPECT_EQ(run_features_of(Declared(numerics), p, Unit::h100), (Texts{"unit=h100"}));
  numerics.split = SplitKeys{Format::f32};
  numerics.part_k = 64;
  numerics.dq_sum = DqSum{DqSum::Kind::atomic};
  EXPECT_EQ(run_features_of(Declared(numerics), p, Unit::a100), (Texts{"unit=a100", "parts=two"}));
  numerics.part_k = 32;
  p.pass = Pass::bwd;
  EXPECT_EQ(run_features_of(Declared(numerics), p, Unit::a100),
            (Texts{"unit=a100", "parts=more", "sums=in any order"}));
  numerics.split = SplitKeys{};
  numerics.dq_sum->kind = DqSum::Kind::ordered;
  EXPECT_EQ(run_features_of(Declared(numerics), p, Unit::a100),
            (Texts{"unit=a100", "sums=in order"}));
}

TEST(RunPairs, CountEachFeatureOnceBesideEachThatRan) {
  RunPairs pairs(Pass::bwd);
  EXPECT_TRUE(pairs.counts().empty());
  const Features features = features_of(draw(1, 0, Pass::bwd));
  pairs.meet({"unit=h100"}, features);
  pairs.meet({"unit=h100", "parts=two"}, features);
  const auto counts = pairs.counts();
  ASSERT_EQ(counts.size(), 2U);
  for (const auto& [run, count] : counts) {
    EXPECT_EQ(count.met, kParameters) << run;
    EXPECT_EQ(count.pairs - count.met, static_cast<Index>(count.never.size())) << run;
  }
}

TEST(RunPairs, LeaveOutWhatAConstraintExcludes) {
  const Features features = features_of(draw(1, 0));
  RunPairs forward(Pass::fwd);
  RunPairs backward(Pass::bwd);
  forward.meet({"unit=h100"}, features);
  backward.meet({"unit=h100"}, features);
  EXPECT_EQ(forward.counts().at("unit=h100").pairs + 4, backward.counts().at("unit=h100").pairs);
}

}  // namespace
}  // namespace attest::run_pairs_test
