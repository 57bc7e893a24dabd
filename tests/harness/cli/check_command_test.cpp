// Goal: `attest check` ends with the status of what it found, says what it did, and leaves behind
// what it promises: counterexamples, and a report for programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/subjects/catalogue.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::check_command_test {
namespace {

TEST(CheckCommand, AcceptsTheHealthy) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--cases", "8", "--seed", "5"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(ran.out.starts_with("attest check --tier smoke --cases 8 --pass fwd --seed 5\n"))
      << ran.out;
  EXPECT_TRUE(lines_of(ran.out).back().starts_with("ACCEPTED  ")) << ran.out;
  for (const Subject* subject : resolve_subjects({})) {
    EXPECT_NE(line_beginning(ran.out, subject->name() + " "), "") << subject->name();
  }
  EXPECT_FALSE(holds(ran.out, "canary/"));
  EXPECT_FALSE(std::filesystem::exists(attest.state()));  // nothing failed
}

// The first canary of each law and pass, and the control; the hunt for all is a test of its own.
TEST(CheckCommand, RejectsACanaryOfEachLawAloneAndAcceptsTheControl) {
  const Attest attest;
  std::set<std::pair<std::string, Pass>> met;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!entry.name.starts_with(kCanaryPrefix)) continue;
    if (!met.emplace(std::string(entry.law), entry.pass).second) continue;
    const std::string pass = entry.pass == Pass::fwd ? "fwd" : "bwd";
    const Ran ran = attest.run({"check", "--subject", entry.name, "--cases", "40", "--pass", pass});
    EXPECT_EQ(ran.status, entry.is_canary() ? 1 : 0) << entry.name << "\n" << ran.out << ran.err;
    if (!entry.is_canary()) continue;
    EXPECT_TRUE(holds(ran.out, "REJECT  " + entry.name + " ")) << entry.name;
    // In full, or in a line beside a more direct one.
    const std::string law(entry.law);
    EXPECT_TRUE(holds(ran.out, "law " + law) || holds(ran.out, "\n             " + law + " "))
        << entry.name << "\n"
        << ran.out;
  }
  EXPECT_FALSE(std::filesystem::exists(attest.state() / "counterexamples.txt"));
}

TEST(CheckCommand, TakesThePassesThatAreAskedFor) {
  const Attest attest;
  const auto tables = [&](const std::string& pass) {
    const Ran ran = attest.run({"check", "--subject", "plain", "--pass", pass, "--cases", "6"});
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_TRUE(holds(lines_of(ran.out).front(), " --pass " + pass + " ")) << ran.out;
    const bool forward = holds(ran.out, "constant_v");
    const bool backward = holds(ran.out, "backward cases:\n");
    EXPECT_EQ(holds(ran.out, "gradient_accuracy"), backward) << ran.out;
    return std::pair(forward, backward);
  };
  EXPECT_EQ(tables("fwd"), std::pair(true, false));
  EXPECT_EQ(tables("bwd"), std::pair(false, true));
  EXPECT_EQ(tables("both"), std::pair(true, true));
}

TEST(CheckCommand, PrintsReplayCommandsThatReproduceTheRejects) {
  const Attest attest;
  const Ran ran =
      attest.run({"check", "--subject", "canary/tile-softmax", "--cases", "12", "--all"});
  int replayed = 0;
  for (const std::string& line : lines_of(ran.out)) {
    const std::size_t at = line.find("attest replay ");
    if (at == std::string::npos) continue;
    const Ran again = attest.paste(line.substr(at));
    EXPECT_EQ(again.status, 1) << line << "\n" << again.out << again.err;
    EXPECT_TRUE(holds(again.out, "REJECT")) << again.out;
    ++replayed;
  }
  EXPECT_GE(replayed, 2) << ran.out;  // accuracy and constant_v
}

TEST(CheckCommand, TellsADefectOnceAndReplaysItAsItRan) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--subject", "canary/tile-softmax", "--cases", "6",
                              "--isolate", "--shrink-time", "1s", "--patience", "20s", "--filter",
                              "law=accuracy,constant_v"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  const std::size_t first = ran.out.find("REJECT  ");
  EXPECT_EQ(ran.out.find("REJECT  ", first + 1), std::string::npos) << ran.out;
  EXPECT_TRUE(holds(ran.out, "\n  also       rejected by 1 more law")) << ran.out;
  const std::size_t at = ran.out.find("attest replay ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  const std::string command = ran.out.substr(at, ran.out.find('\n', at) - at);
  EXPECT_TRUE(command.ends_with(" --isolate --patience 20s")) << command;
  EXPECT_EQ(attest.paste(command).status, 1);
}

TEST(CheckCommand, OnAUnitThatNobodyHasTellsEachSubjectsReasonOnce) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--subject", "plain", "--subject", "variant/plain-fused",
                              "--unit", "device", "--cases", "20"});
  EXPECT_EQ(ran.status, 5) << ran.out << ran.err;
  for (const std::string subject : {"plain", "variant/plain-fused"}) {
    const auto tells = [&](const std::string& line) { return line.starts_with(subject + ": "); };
    EXPECT_EQ(std::ranges::count_if(lines_of(ran.out), tells), 1) << ran.out;
    EXPECT_TRUE(holds(line_beginning(ran.out, subject + ": declined"), "device")) << ran.out;
  }
  EXPECT_TRUE(lines_of(ran.out).back().starts_with("UNSUPPORTED  ")) << ran.out;
}

TEST(CheckCommand, DrawsAndTellsASeedOnRequest) {
  const Attest attest;
  const auto seed_line = [&] {
    const Ran ran = attest.run({"check", "--subject", "plain", "--cases", "1", "--seed", "auto"});
    EXPECT_EQ(ran.status, 0) << ran.out;
    return lines_of(ran.out).front();
  };
  const std::string first = seed_line();
  EXPECT_FALSE(holds(first, "auto")) << first;
  EXPECT_NE(first, seed_line());
}

TEST(CheckCommand, EndsWithItsTimeBudget) {
  const Attest attest;
  const Ran ran =
      attest.run({"check", "--subject", "plain", "--cases", "1000000", "--budget", "1s"});
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_TRUE(holds(ran.out, "; stopped before the end, ")) << ran.out;
}

TEST(CheckCommand, InterruptedOnceReportsWhatIsThere) {
  const Attest attest;
  for (const std::string signal : {"INT", "TERM"}) {
    const Ran ran = attest.paste("/usr/bin/timeout --preserve-status -s " + signal +
                                 " 2 attest check --subject plain --cases 1000000");
    EXPECT_EQ(ran.status, 7) << signal << ran.out << ran.err;
    EXPECT_TRUE(holds(ran.out, "INTERRUPTED")) << signal << ran.out;
    EXPECT_TRUE(holds(ran.out, "; stopped before the end, ")) << signal << ran.out;
  }
}

TEST(CheckCommand, TwoSignalsAtOnceAreOneInterrupt) {
  const Attest attest;
  const Ran ran = attest.paste(
      "attest check --subject plain --cases 1000000 & "
      "/bin/sleep 1; kill -s INT $!; kill -s TERM $!; kill -s INT $!; wait $!");
  EXPECT_EQ(ran.status, 7) << ran.out << ran.err;
  EXPECT_TRUE(holds(ran.out, "INTERRUPTED")) << ran.out;
}

TEST(CheckCommand, SelectsByFilter) {
  const Attest attest;
  const Ran some = attest.run(
      {"check", "--cases", "2", "--filter", "family=F7;in=bf16;subject=plain;law=accuracy"});
  EXPECT_EQ(some.status, 0) << some.out;
  EXPECT_TRUE(holds(some.out, "ACCEPTED  2 cases")) << some.out;
  const Ran none = attest.run({"check", "--cases", "4", "--filter", "nk>=100000"});
  EXPECT_EQ(none.status, 5);
  EXPECT_TRUE(holds(none.out, "NOTHING SELECTED")) << none.out;
}

TEST(CheckCommand, GivesStandardOutputToProgramsOnRequest) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--subject", "plain", "--cases", "2", "--json", "-"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("schema"), "attest.report/1") << ran.out;
  EXPECT_TRUE(ran.err.starts_with("attest check --tier smoke --cases 2 ")) << ran.err;
  EXPECT_TRUE(lines_of(ran.err).back().starts_with("ACCEPTED  ")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(attest.folder() / "-"));
}

// Where all subjects run, more lines come before the report; the budget ends it after its first
// cases.
TEST(CheckCommand, SaysOfTurnsWhereThePageGoes) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--cases", "1", "--budget", "1s", "--json", "-"});
  EXPECT_TRUE(nlohmann::json::accept(ran.out)) << ran.out.substr(0, 200);
  EXPECT_TRUE(holds(ran.err, "each law that reruns the subject takes one case of 5")) << ran.err;
}

TEST(CheckCommand, WritesTheSameVerdictForPrograms) {
  const Attest attest;
  const std::string subject = "canary/m11-top-left-causal";
  const Ran ran =
      attest.run({"check", "--subject", subject, "--cases", "8", "--json", "report.json"});
  std::ifstream stream(attest.folder() / "report.json");
  const auto json = nlohmann::json::parse(stream);
  EXPECT_EQ(json.at("schema"), "attest.report/1");
  EXPECT_EQ(json.at("command"), "check");
  EXPECT_EQ(json.at("exit_status"), ran.status);
  EXPECT_EQ(ran.status, 1);
  EXPECT_GE(json.at("cases").at("goldens"), 10);
  EXPECT_FALSE(json.at("failures").empty());
  for (const auto& failure : json.at("failures")) {
    if (failure.at("told_by") != failure.at("law")) continue;  // in a line of that law's report
    EXPECT_TRUE(holds(ran.out, failure.at("replay").get<std::string>()));
  }
}

}  // namespace
}  // namespace attest::check_command_test
