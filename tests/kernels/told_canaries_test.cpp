// Goal: the canaries that are wrong in other configurations than their own choice are right in that
// one and in those that hide the fault, bit for bit, and wrong on the smallest input that their
// files name.
#include "tests/kernels/canary_runs.hpp"

namespace attest {
namespace {

RunSettings told(const std::string& configuration) {
  RunSettings settings;
  settings.configuration = configuration;
  return settings;
}

// So many keys of score 0, v_j = j + 1: O is the mean.
struct Counted {
  Problem p;
  Inputs inputs;
  explicit Counted(Index n_k) : p(scored_problem(n_k)), inputs(zero_inputs(p)) {
    p.out = Format::f32;
    for (Index j = 0; j < n_k; ++j) set(inputs.v, 0, 0, j, 0, static_cast<double>(j + 1));
  }
  [[nodiscard]] double o(std::string_view canary, const std::string& configuration) const {
    const auto subject = canary_named(canary).make();
    return o_of(run(*subject, p, inputs, told(configuration)));
  }
};

double mean_of_first(double keys) { return static_cast<float>((keys + 1) / 2); }

const Subject& control() {
  static const std::unique_ptr<Subject> made = canary_named("canary/none").make();
  return *made;
}

// Of all outputs, the bits of the control in that configuration.
void expect_hidden(std::string_view name, const Problem& p, const std::string& configuration) {
  const Inputs inputs = gaussian_inputs(p, 3);
  const auto canary = canary_named(name).make();
  const Result forward = run(control(), p, inputs, told(configuration));
  EXPECT_EQ(run(*canary, p, inputs, told(configuration)), forward) << name << configuration;
  EXPECT_EQ(run_backward(*canary, p, inputs, forward, told(configuration)),
            run_backward(control(), p, inputs, forward, told(configuration)))
      << name << configuration;
}

TEST(ToldCanaries, OfferWhatTheirControlOffersAndAreRightInTheirOwnChoice) {
  const Problem p = three_tiles(Pass::bwd);
  const auto offered = control().configurations(p, Unit::fp32_seq);
  EXPECT_EQ(offered, (std::vector<std::string>{"tile_k=4", "tile_k=7", "tile_k=64", "parts=2",
                                               "parts=3", "parts=6"}));
  for (const char* name : {"canary/m08-two-parts-merged", "canary/m10-part-bounds",
                           "canary/m12-other-tile-tail", "canary/m12-other-tile-tail-backward"}) {
    const auto canary = canary_named(name).make();
    EXPECT_EQ(canary->configurations(p, Unit::fp32_seq), offered) << name;
    for (const std::string& configuration : offered) {
      EXPECT_EQ(canary->numerics_in(configuration, p, Unit::fp32_seq),
                control().numerics_in(configuration, p, Unit::fp32_seq));
    }
    expect_hidden(name, p, "");
  }
}

TEST(M08TwoPartsMerged, ForgetsTheThird) {
  const Counted c(33);
  EXPECT_EQ(c.o("canary/m08-two-parts-merged", "parts=3"), mean_of_first(32));
  EXPECT_EQ(c.o("canary/none", "parts=3"), mean_of_first(33));
  expect_hidden("canary/m08-two-parts-merged", three_tiles(Pass::bwd), "parts=2");
  Problem two_tiles = three_tiles(Pass::bwd);
  two_tiles.n_k = 32;
  expect_hidden("canary/m08-two-parts-merged", two_tiles, "parts=3");
  expect_hidden("canary/m08-two-parts-merged", three_tiles(Pass::bwd), "tile_k=7");
}

TEST(M10PartBounds, LosesTheTileThatTwoPartsDoNotShare) {
  const Counted c(33);
  EXPECT_EQ(c.o("canary/m10-part-bounds", "parts=2"), mean_of_first(32));
  EXPECT_EQ(c.o("canary/none", "parts=2"), mean_of_first(33));
  expect_hidden("canary/m10-part-bounds", three_tiles(Pass::bwd), "parts=3");
  expect_hidden("canary/m10-part-bounds", three_tiles(Pass::bwd), "parts=6");
}

TEST(M12OtherTileTail, LosesTheOnlyKey) {
  const Counted c(1);
  EXPECT_EQ(c.o("canary/m12-other-tile-tail", "tile_k=4"), 0);
  EXPECT_EQ(c.o("canary/none", "tile_k=4"), 1);
  EXPECT_EQ(Counted(41).o("canary/m12-other-tile-tail", "tile_k=7"), mean_of_first(35));
  Problem whole = three_tiles(Pass::bwd);
  whole.n_k = 28;
  expect_hidden("canary/m12-other-tile-tail", whole, "tile_k=4");
  expect_hidden("canary/m12-other-tile-tail", three_tiles(Pass::bwd), "parts=3");
}

TEST(M12OtherTileTailBackward, LosesItsGradientAlone) {
  Counted c(1);
  c.p.pass = Pass::bwd;
  c.inputs = gaussian_inputs(c.p, 4);
  const auto canary = canary_named("canary/m12-other-tile-tail-backward").make();
  const Result forward = run(*canary, c.p, c.inputs, told("tile_k=4"));
  EXPECT_EQ(forward, run(control(), c.p, c.inputs, told("tile_k=4")));
  const GradientTensors wrong = run_backward(*canary, c.p, c.inputs, forward, told("tile_k=4"));
  EXPECT_EQ(wrong.dv.view().value(0, 0, 0, 0), 0);
  const GradientTensors right = run_backward(control(), c.p, c.inputs, forward, told("tile_k=4"));
  EXPECT_NE(right.dv.view().value(0, 0, 0, 0), 0);
}

}  // namespace
}  // namespace attest
