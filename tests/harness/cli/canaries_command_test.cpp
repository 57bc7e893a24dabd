// Goal: `attest canaries` gives 0 when every chosen canary is caught, and says how.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/subjects/catalogue.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::canaries_command_test {
namespace {

TEST(CanariesCommand, CatchesEveryCanary) {
  const Attest attest;
  const Ran ran = attest.run({"canaries", "--tier", "smoke", "--json", "canaries.json"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(lines_of(ran.out).back().starts_with("ALL CAUGHT  ")) << ran.out;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!entry.is_canary()) continue;
    EXPECT_TRUE(holds(line_beginning(ran.out, entry.name + " "), "  caught")) << entry.name;
  }
  std::ifstream stream(attest.folder() / "canaries.json");
  const auto json = nlohmann::json::parse(stream);
  EXPECT_EQ(json.at("command"), "canaries");
  for (const auto& canary : json.at("canaries")) EXPECT_EQ(canary.at("caught"), true) << canary;
}

TEST(CanariesCommand, TakesTheNamedOnesOnly) {
  const Attest attest;
  const Ran ran = attest.run({"canaries", "--subject", "canary/m05*"});
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_TRUE(holds(ran.out, "ALL CAUGHT  1 canaries")) << ran.out;
}

// The signal comes once the page has begun.
TEST(CanariesCommand, InterruptedReportsWhatIsThere) {
  const Attest attest;
  for (const std::string signal : {"INT", "TERM"}) {
    const Ran ran = attest.paste(
        "attest canaries --json - 2> page & until test -s page; do :; done; kill -s " + signal +
        " $!; wait $!; status=$?; /bin/cat page >&2; /bin/rm page; exit $status");
    EXPECT_EQ(ran.status, 7) << signal << ran.out << ran.err;
    EXPECT_TRUE(holds(ran.err, "not caught before the interrupt")) << ran.err;
    EXPECT_TRUE(lines_of(ran.err).back().starts_with("INTERRUPTED  ")) << ran.err;
    EXPECT_EQ(nlohmann::json::parse(ran.out).at("interrupted"), true);
  }
}

TEST(CanariesCommand, HasNothingToDoForTheControlAlone) {
  const Attest attest;
  EXPECT_EQ(attest.run({"canaries", "--subject", "canary/none"}).status, 5);
}

}  // namespace
}  // namespace attest::canaries_command_test
