// Goal: the program explains itself, and behaves on a terminal and off it.
#include <gtest/gtest.h>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::program_test {
namespace {

const std::vector<std::string> kCommands = {"check",  "canaries", "replay",
                                            "oracle", "golden",   "list"};

TEST(Help, NamesEverySubcommand) {
  const Attest attest;
  const Ran ran = attest.run({"--help"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  for (const std::string& command : kCommands) {
    EXPECT_NE(line_beginning(ran.out, "  " + command + " "), "") << command;
  }
}

TEST(Help, OfEachSubcommandNamesItsOptions) {
  const Attest attest;
  const struct {
    const char* command;
    std::vector<const char*> words;
  } rows[] = {
      {"check",
       {"--subject", "--tier", "--cases", "--budget", "--seed", "--unit", "--filter", "--json",
        "Exit status: 0 all accepted, 1 something rejected"}},
      {"canaries", {"--subject", "--tier", "--seed", "--json", "Exit status: 0 when each canary"}},
      {"replay", {"case", "--subject", "--unit", "Examples: attest replay"}},
      {"judge", {"file", "Example: attest judge"}},
      {"oracle", {"case", "Example: attest oracle"}},
      {"golden", {"verify", "show", "make", "Example: attest golden"}},
      {"plan", {"problem", "Example: attest plan"}},
      {"study", {"name", "Example: attest study"}},
      {"traffic", {"problem", "Example: attest traffic"}},
      {"list", {"what", "Example: attest list"}},
  };
  for (const auto& [command, words] : rows) {
    const Ran ran = attest.run({command, "--help"});
    EXPECT_EQ(ran.status, 0) << command;
    EXPECT_EQ(ran.err, "") << command;
    for (const char* word : words) EXPECT_TRUE(holds(ran.out, word)) << command << ": " << word;
  }
}

TEST(Help, ForAllShowsAll) {
  const Attest attest;
  const Ran ran = attest.run({"--help-all"});
  EXPECT_EQ(ran.status, 0);
  for (const std::string& command : kCommands) EXPECT_TRUE(holds(ran.out, command));
  EXPECT_TRUE(holds(ran.out, "--filter"));
}

TEST(Version, IsPrinted) {
  const Attest attest;
  const Ran ran = attest.run({"--version"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.starts_with("attest 0.")) << ran.out;
}

const std::vector<std::string> kShortCheck = {"check", "--subject", "plain", "--cases", "20"};

TEST(Terminal, GetsColourAndProgress) {
  const Attest attest;
  const Ran ran = attest.run_on_terminal(kShortCheck);
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_TRUE(holds(ran.out, "\033[32;1mACCEPTED\033[0m")) << ran.out;
  EXPECT_TRUE(holds(ran.out, " s  rejected 0  undecided 0")) << ran.out;
}

TEST(Terminal, GetsProgressAndNoEscapeCodesWhereNoneAreWanted) {
  for (const auto& [name, value] : {std::pair("NO_COLOR", "1"), std::pair("TERM", "dumb")}) {
    Attest attest;
    attest.set(name, value);
    const Ran ran = attest.run_on_terminal(kShortCheck);
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_TRUE(holds(ran.out, "ACCEPTED")) << ran.out;
    EXPECT_TRUE(holds(ran.out, " s  rejected 0  undecided 0")) << ran.out;
    EXPECT_FALSE(holds(ran.out, "\033")) << ran.out;
  }
}

TEST(File, GetsNeitherColourNorProgress) {
  const Attest attest;
  const Ran ran = attest.run(kShortCheck);
  EXPECT_EQ(ran.status, 0);
  EXPECT_FALSE(holds(ran.out, "\033"));
  EXPECT_EQ(ran.err, "");
}

TEST(File, ThatTakesNothingIsOurFault) {
  const Attest attest;
  const Ran ran = attest.paste("attest list units > /dev/full");
  EXPECT_EQ(ran.status, 4);
  EXPECT_EQ(ran.err, "attest: standard output cannot be written\n");
}

TEST(State, GoesToItsOwnFolderWhereNoOtherIsNamed) {
  Attest attest;
  attest.set("ATTEST_STATE_DIR", "");
  const std::string digest(64, 'b');
  const Ran ran = attest.run(
      {"oracle",
       "attest1:b=1;hq=1;hk=1;nq=1;nk=1;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
       "align=br;pass=fwd;data=sha256:" +
           digest});
  EXPECT_TRUE(holds(ran.err, ".attest/" + digest)) << ran.err;
}

}  // namespace
}  // namespace attest::program_test
