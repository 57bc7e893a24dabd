// Goal: a library is judged by one command, whatever it does, and the exit status tells what it
// did.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::plugin_command_test {
namespace {

std::string plugin(const std::string& name) {
  return "plugin:" ATTEST_PLUGIN_FOLDER "/" + name + ".so";
}

Ran check(const std::string& name, const std::string& cases = "4") {
  const Attest attest;
  return attest.run({"check", "--subject", plugin(name), "--cases", cases, "--filter",
                     "law=accuracy", "--patience", "20s"});
}

TEST(PluginCommand, AcceptsAnHonestKernelWithNothingButItsName) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--subject", plugin("attention"), "--cases", "10"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_NE(line_beginning(ran.out, plugin("attention") + "#attention "), "") << ran.out;
  EXPECT_TRUE(lines_of(ran.out).back().starts_with("ACCEPTED  ")) << ran.out;
}

TEST(PluginCommand, EndsWithTheStatusOfWhatALibraryDid) {
  const struct {
    std::string name;
    int status;
    std::string words;
  } rows[] = {{"cheat_13_wildcard", 1, "law accuracy"},
              {"cheat_17_exit", 3, "run        crashed: "},
              {"cheat_01_leftover", 3, "run        left output unwritten: "},
              {"cheat_22_alone", 1, "run        was not deterministic: "},
              {"several#declines", 5, "UNSUPPORTED"}};
  for (const auto& [name, status, words] : rows) {
    const std::size_t hash = name.find('#');
    const Attest attest;
    const std::string spec =
        plugin(name.substr(0, hash)) + (hash == std::string::npos ? "" : name.substr(hash));
    const Ran ran =
        attest.run({"check", "--subject", spec, "--cases", "4", "--filter", "law=accuracy"});
    EXPECT_EQ(ran.status, status) << name << "\n" << ran.out << ran.err;
    EXPECT_TRUE(holds(ran.out, words)) << name << "\n" << ran.out;
  }
}

TEST(PluginCommand, NamesTheConfigurationThatIsWrongAndReplaysIt) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--subject", plugin("told"), "--cases", "4", "--filter",
                              "law=accuracy,configurations", "--shrink-time", "2s"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(holds(ran.out, "(configuration wrong)")) << ran.out;
  EXPECT_TRUE(holds(ran.out, " --configuration 'wrong'")) << ran.out;
  EXPECT_FALSE(holds(ran.out, "law accuracy")) << ran.out;
}

TEST(PluginCommand, SaysInOneLineWhatIsWrongWithALibrary) {
  for (const char* name : {"unsound_1", "unsound_7", "unsound_8", "no-such-file"}) {
    const Ran ran = check(name);
    EXPECT_EQ(ran.status, 6) << ran.out << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
    EXPECT_TRUE(ran.err.starts_with("attest: plug-in ")) << ran.err;
  }
  EXPECT_EQ(check("several").status, 2);  // which of them?
}

TEST(PluginCommand, ListsWhatALibraryHolds) {
  const Attest attest;
  const Ran ran = attest.run({"list", plugin("several")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.out).size(), 8U) << ran.out;
  EXPECT_TRUE(ran.out.starts_with(plugin("several") + "#computes ")) << ran.out;
}

TEST(PluginCommand, IsReplayedByTheCommandOfItsReport) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--subject", plugin("cheat_13_wildcard"), "--cases", "1",
                              "--filter", "law=accuracy"});
  const std::string again = line_beginning(ran.out, "  again ");
  ASSERT_NE(again, "") << ran.out;
  const Ran replayed = attest.paste(again.substr(again.find("attest ")));
  EXPECT_EQ(replayed.status, 1) << replayed.out << replayed.err;
  EXPECT_TRUE(holds(replayed.out, "accuracy           REJECT")) << replayed.out;
}

TEST(PluginCommand, IsolatesBundledSubjectsOnRequest) {
  const Attest attest;
  const Ran ran = attest.run(
      {"check", "--isolate", "--subject", "plain", "--subject", "tiled", "--cases", "4"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const Ran fault = attest.run({"check", "--isolate", "--subject", "machine-fault/read-past-tail",
                                "--cases", "10", "--filter", "law=accuracy"});
  EXPECT_EQ(fault.status, 3) << fault.out << fault.err;
  EXPECT_TRUE(holds(fault.out, "  run        broke rules: ")) << fault.out;
}

TEST(PluginCommand, CountsEndingsByTheirKind) {
  const Attest attest;
  const Ran ran = attest.run({"check", "--subject", plugin("cheat_17_exit"), "--cases", "2",
                              "--filter", "law=accuracy", "--json", "-"});
  EXPECT_EQ(ran.status, 3) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_GT(json.at("subjects").at(0).at("endings").at("crashed"), 0);
  EXPECT_EQ(json.at("failures").at(0).at("ending"), "crashed");
}

}  // namespace
}  // namespace attest::plugin_command_test
