// Goal: a SPEC of a library gives the subject that it declares, or one line that says what is wrong
// with the library, and exit status 6.
#include "harness/subjects/plugin_subject.hpp"

#include <gtest/gtest.h>

#include "core/case.hpp"
#include "properties/execution.hpp"
#include "tests/core/refusal.hpp"
#include "tests/harness/subjects/built_plugins.hpp"

namespace attest::plugin_subject_test {
namespace {

using Kind = RunOutcome::Kind;

Problem small(Index n_q = 3) {
  Problem p;
  p.n_q = n_q;
  p.n_k = 5;
  p.d_qk = p.d_v = 4;
  return p;
}

RunOutcome run(const std::string& name, const Problem& problem) {
  const auto subject = load_one(built_plugin("several") + "#" + name);
  return execute(*subject, problem, zero_inputs(problem), {*subject->own_unit()}).outcome;
}

TEST(PluginSpec, NamesOneSubjectOrAllOfALibrary) {
  const std::string spec = built_plugin("several");
  EXPECT_EQ(load_plugins(spec, built_worker()).subjects.size(), 8U);
  const LoadedPlugins one = load_plugins(spec + "#computes", built_worker());
  ASSERT_EQ(one.subjects.size(), 1U);
  EXPECT_EQ(one.subjects[0].subject->name(), spec + "#computes");
  EXPECT_FALSE(one.subjects[0].about.empty());
}

TEST(PluginSpec, ThatNamesNoSubjectIsRefusedWithTheOnesThereAre) {
  const Refusal refusal = refusal_of([] { (void)load_one(built_plugin("several") + "#plian"); });
  EXPECT_EQ(refusal.blame, Blame::subject_load);
  EXPECT_TRUE(refusal.says("unknown subject 'plian'; known: computes, declines"))
      << refusal.message;
  EXPECT_EQ(refusal_of([] { (void)load_one("plugin:"); }).blame, Blame::subject_load);
}

TEST(PluginLibrary, ThatIsUnsoundIsRefusedInOneLine) {
  const std::string rows[] = {"exports no function attest_plugin_table",
                              "speaks version 2 of attest/subject.h, and this attest speaks 1",
                              "its table has struct_size 8, below 24",
                              "its table has 0 subjects",
                              "subject 0 of its table has struct_size 16, below 80",
                              "subject 0 of its table has no name",
                              "subject 0 of its table has no forward",
                              "subject 'x': capabilities: unknown key 'colour'",
                              "crashed while it was opened: its process ended by signal 6",
                              "hung while it was opened: no answer within 300 ms",
                              "crashed while it was opened: its process ended with status 0",
                              "attest_plugin_table returned no table",
                              "subject 'x': configurations: of 'tile=64': "};
  for (std::size_t n = 0; n < std::size(rows); ++n) {
    const std::string spec = built_plugin("unsound_" + std::to_string(n));
    const Refusal refusal = refusal_of([&] {
      (void)load_one(spec, built_worker(std::chrono::milliseconds(n == 9 ? 300 : 20'000)));
    });
    EXPECT_EQ(refusal.blame, Blame::subject_load) << n;
    EXPECT_TRUE(refusal.says(rows[n])) << refusal.message;
    EXPECT_EQ(refusal.message.find('\n'), std::string::npos) << refusal.message;
  }
  const Refusal missing = refusal_of([] { (void)load_one("plugin:./nowhere.so"); });
  EXPECT_EQ(missing.blame, Blame::subject_load);
  EXPECT_TRUE(missing.says("cannot open shared object file")) << missing.message;
}

TEST(PluginSubject, DeclaresAsItsTextsSay) {
  const auto honest = load_one(built_plugin("attention"));
  EXPECT_EQ(honest->own_unit(), Unit::fp32_seq);
  EXPECT_EQ(honest->semantics().dead_o, DeadO::zero);
  EXPECT_EQ(honest->numerics(small(), Unit::fp32_seq).exponent, Exponent::difference_first);
  EXPECT_EQ(honest->unsupported(small(), Unit::fp32_seq), std::nullopt);
  EXPECT_EQ(honest->unsupported(small(), Unit::h100), "its unit is fp32-seq");
  Problem backward = small();
  backward.pass = Pass::bwd;
  EXPECT_EQ(honest->unsupported(backward, Unit::fp32_seq), "it has no backward");
  const auto cuda = load_one(built_plugin("several") + "#cuda");
  EXPECT_EQ(cuda->own_unit(), Unit::h100);
}

TEST(PluginSubject, MayDeclineOrFailWhenItRuns) {
  EXPECT_EQ(run("computes", small()).kind, Kind::ran);
  const RunOutcome declined = run("declines", small());
  EXPECT_EQ(declined.kind, Kind::unsupported);
  EXPECT_EQ(declined.detail, "not now");
  const RunOutcome failed = run("fails", small());
  EXPECT_EQ(failed.kind, Kind::failed);
  EXPECT_NE(failed.detail.find("no such kernel"), std::string::npos) << failed.detail;
  EXPECT_NE(run("strange", small()).detail.find("returned 17, which is no code"),
            std::string::npos);
}

TEST(PluginSubject, IsAskedForItsWorkspaceFirst) {
  EXPECT_EQ(run("too-much", small()).kind, Kind::ran);
  EXPECT_EQ(run("too-much", small(5)).kind, Kind::unsupported);
  const RunOutcome greedy = run("too-much", small(6));
  EXPECT_EQ(greedy.kind, Kind::failed);
  EXPECT_EQ(greedy.detail, "asked for a workspace of 18446744073709551615 bytes");
}

TEST(PluginSubject, GetsTheAlignmentThatItDeclares) {
  EXPECT_EQ(run("aligned", small(7)).kind, Kind::ran);
}

TEST(PluginSubject, IsToldWhichConfigurationToTakeOrTakesItsOwn) {
  const auto subject = load_one(built_plugin("told"));
  EXPECT_EQ(subject->configurations(small(), Unit::fp32_seq),
            (std::vector<std::string>{"rounded", "wrong", "narrow"}));
  EXPECT_EQ(subject->numerics_in("rounded", small(), Unit::fp32_seq).p_format, small().in);
  EXPECT_EQ(subject->numerics(small(), Unit::fp32_seq).p_format, Format::f32);
  const auto lse = [&](const std::string& configuration, Index n_q = 3) {
    RunSettings settings{Unit::fp32_seq};
    settings.configuration = configuration;
    const Problem p = small(n_q);
    const Execution run = execute(*subject, p, zero_inputs(p), settings);
    EXPECT_EQ(run.outcome.kind, n_q > 3 ? Kind::unsupported : Kind::ran) << run.outcome.detail;
    return run.outputs.lse.view().value(0, 0, 0, 0);
  };
  EXPECT_EQ(lse("wrong"), lse("") + 1);
  EXPECT_EQ(lse("rounded"), lse(""));
  (void)lse("narrow", 4);  // declines by its workspace
}

TEST(PluginSubject, HasABackwardWhereItsTableHasOne) {
  Problem p = small();
  p.pass = Pass::bwd;
  Inputs inputs = zero_inputs(p);
  for (Tensor* tensor : {&inputs.k, &inputs.v, &inputs.dout}) {
    std::byte value{1};
    for (std::byte& one : tensor->bytes()) one = value = std::byte(int(value) % 50 + 1);
  }
  const auto subject = load_one(built_plugin("several") + "#backward");
  const Execution run = execute(*subject, p, inputs, {Unit::fp32_seq});
  ASSERT_EQ(run.outcome.kind, Kind::ran) << run.outcome.detail;
  EXPECT_EQ(run.outputs.dq.bytes(), inputs.dout.bytes());
  EXPECT_EQ(run.outputs.dk.bytes(), inputs.k.bytes());
  EXPECT_EQ(run.outputs.dv.bytes(), inputs.v.bytes());
}

}  // namespace
}  // namespace attest::plugin_subject_test
