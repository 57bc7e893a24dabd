// Goal: subjects that move the same share a row, and a count that no formula explains is seen.
#include "harness/campaign/traffic_count.hpp"

#include <gtest/gtest.h>

#include "harness/report/traffic_table.hpp"
#include "harness/subjects/catalogue.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::traffic_count_test {
namespace {

const char* const kProblem =
    "attest1:b=1;hq=1;hk=1;nq=5;nk=6;dqk=8;dv=8;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
    "align=br;pass=fwd";

// Claims to be `tiled`, and to have written what `bytes` say.
class Claimant final : public Subject {
 public:
  explicit Claimant(std::int64_t bytes) : bytes_(bytes) {}
  [[nodiscard]] std::string name() const override { return "tiled"; }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem&, Unit) const override {
    return std::nullopt;
  }
  [[nodiscard]] Numerics numerics(const Problem&, Unit) const override { return {}; }
  [[nodiscard]] Semantics semantics() const override { return {}; }
  RunOutcome run(const Problem&, const ForwardInputs&, const ForwardOutputs&,
                 const RunSettings&) const override {
    return {RunOutcome::Kind::ran, "", MemoryUse{{{"o", {0, bytes_}}}, 0, 0}};
  }

 private:
  std::int64_t bytes_;
};

TEST(TrafficCount, GivesSubjectsWithTheSameCountsOneRow) {
  const std::vector<std::string> specs = {"tiled", "variant/tiled-fused", "materialising", "plain"};
  const ProblemTraffic traffic = count_traffic(parse_problem(kProblem), resolve_subjects(specs));
  ASSERT_EQ(traffic.rows.size(), 2U);
  EXPECT_EQ(traffic.rows[0].subjects, (std::vector<std::string>{"tiled", "variant/tiled-fused"}));
  EXPECT_TRUE(traffic.agrees());
  ASSERT_EQ(traffic.uncounted.size(), 1U);
  EXPECT_EQ(traffic.uncounted[0].subject, "plain");
}

TEST(TrafficCount, SeesACountThatTheFormulaDoesNotGive) {
  const Claimant claimant(77);
  const Subject* const subjects[] = {&claimant};
  const ProblemTraffic traffic = count_traffic(parse_problem(kProblem), subjects);
  EXPECT_FALSE(traffic.agrees());
  EXPECT_TRUE(holds(traffic_report(traffic), "COUNTS AND FORMULAS DIFFER\n"));
  const SweptTraffic swept[] = {{"about", traffic}};
  EXPECT_TRUE(holds(traffic_page(swept), "| o | 0 / 77 != 0 / 80 |")) << traffic_page(swept);
}

}  // namespace
}  // namespace attest::traffic_count_test
