// Goal: a folder to go on from survives whatever a killed process leaves in it, and is never taken
// for that of another campaign.
#include "harness/campaign/journal.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "tests/core/refusal.hpp"
#include "tests/fixtures/own_folder.hpp"

namespace attest::journal_test {
namespace {

namespace fs = std::filesystem;

const Conditions kConditions = {{"seed", "18446744073709551615"}, {"tier", "smoke"}};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_in(const Journal& journal) {
  std::vector<std::string> lines;
  journal.replay([&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

Refusal refusal_in(const fs::path& folder, const Conditions& conditions = kConditions) {
  return refusal_of([&] { const Journal journal(folder, conditions, {}); });
}

TEST(Journal, GivesBackTheLinesThatWereAdded) {
  const OwnFolder folder;
  {
    const Journal journal(folder / "new" / "one", kConditions, {});
    EXPECT_EQ(lines_in(journal), std::vector<std::string>{});
    journal.append("{1}\n");
    journal.append("{2}\n");
  }
  const Journal journal(folder / "new" / "one", kConditions, {});
  EXPECT_EQ(lines_in(journal), (std::vector<std::string>{"{1}\n", "{2}\n"}));
  journal.append("{3}\n");
  EXPECT_EQ(lines_in(journal), (std::vector<std::string>{"{1}\n", "{2}\n", "{3}\n"}));
}

TEST(Journal, CutsOffALineThatWasNotFinishedWhereverItWasTorn) {
  const OwnFolder folder;
  const std::string whole = "{\"n\":0}\n{\"n\":1}\n";
  const std::string long_line(200'000, 'x');  // longer than what is read at once
  for (const std::string& torn : {std::string("{"), std::string("{\"n\":2}"), long_line}) {
    { const Journal journal(folder.path() / "j", kConditions, {}); }
    std::ofstream(folder.path() / "j" / "cases.jsonl", std::ios::trunc) << whole << torn;
    const Journal journal(folder.path() / "j", kConditions, {});
    journal.append("{\"n\":2}\n");
    EXPECT_EQ(text_of(folder.path() / "j" / "cases.jsonl"), whole + "{\"n\":2}\n");
  }
  { const Journal journal(folder.path() / "j", kConditions, {}); }
  std::ofstream(folder.path() / "j" / "cases.jsonl", std::ios::trunc) << long_line;
  const Journal journal(folder.path() / "j", kConditions, {});
  EXPECT_EQ(text_of(folder.path() / "j" / "cases.jsonl"), "");
}

TEST(Journal, BeginsAgainWhereItsBeginningWasCutOff) {
  const OwnFolder folder;
  std::ofstream(folder / "list") << "# as it is\n";
  const fs::path place = folder / "j";
  fs::create_directory(place);
  std::ofstream(place / "counterexamples.txt") << "# an older attempt\n";
  std::ofstream(place / "cases.jsonl") << "{}\n";
  std::ofstream(place / "campaign.json.part123-4") << "{\"sch";
  const Journal journal(place, kConditions, folder / "list");
  EXPECT_EQ(text_of(journal.counterexamples()), "# as it is\n");
  EXPECT_EQ(lines_in(journal), std::vector<std::string>{});
}

TEST(Journal, KeepsTheCounterexamplesOfItsBeginning) {
  const OwnFolder folder;
  std::ofstream(folder / "list") << "# first\n";
  { const Journal journal(folder / "j", kConditions, folder / "list"); }
  std::ofstream(folder / "list") << "# first\n# and what the campaign added\n";
  const Journal journal(folder / "j", kConditions, folder / "list");
  EXPECT_EQ(text_of(journal.counterexamples()), "# first\n");
}

TEST(Journal, RefusesTheFolderOfAnotherCampaignAndSaysInWhatItDiffers) {
  const OwnFolder folder;
  { const Journal journal(folder / "j", kConditions, {}); }
  const Refusal refusal = refusal_in(folder / "j", {{"seed", "1"}, {"tier", "smoke"}});
  EXPECT_EQ(refusal.blame, Blame::usage);
  EXPECT_TRUE(refusal.says((folder / "j").string())) << refusal.message;
  EXPECT_TRUE(refusal.says("seed was '18446744073709551615' and is '1'")) << refusal.message;
  EXPECT_FALSE(refusal_in(folder / "j").refused);
}

TEST(Journal, RefusesFoldersThatAreNone) {
  const OwnFolder folder;
  fs::create_directory(folder / "home");
  std::ofstream(folder / "home" / "letter.txt") << "dear";
  EXPECT_TRUE(refusal_in(folder / "home").says("'letter.txt', which is of no campaign"));
  std::ofstream(folder / "file") << "x";
  EXPECT_TRUE(refusal_in(folder / "file").says("cannot be a folder"));
  for (const std::string text : {"", "[]", "{\"schema\":\"attest.campaign/1\"}", "{\"schema\":1}",
                                 "{\"schema\":\"attest.campaign/2\",\"conditions\":{}}"}) {
    fs::create_directories(folder / "j");
    std::ofstream(folder / "j" / "campaign.json") << text;
    const Refusal refusal = refusal_in(folder / "j");
    EXPECT_EQ(refusal.blame, Blame::usage) << text;
    EXPECT_TRUE(refusal.says("campaign.json")) << text << refusal.message;
  }
}

TEST(Journal, IsForOneProcessAtATime) {
  const OwnFolder folder;
  const Journal journal(folder / "j", kConditions, {});
  EXPECT_TRUE(refusal_in(folder / "j").says("another process is at work there"));
}

TEST(Journal, NamesFileAndLineOfWhatIsWrongInIt) {
  const OwnFolder folder;
  const Journal journal(folder / "j", kConditions, {});
  journal.append("good\n");
  journal.append("bad\n");
  const Refusal refusal = refusal_of([&] {
    journal.replay([](std::string_view line) {
      if (line == "bad\n") throw Error(Blame::usage, "it is bad");
    });
  });
  EXPECT_EQ(refusal.message, (folder / "j" / "cases.jsonl").string() + " line 2: it is bad");
}

TEST(Journal, KnowsItsSeed) {
  const OwnFolder folder;
  EXPECT_EQ(seed_of_journal(folder / "j"), std::nullopt);
  { const Journal journal(folder / "j", kConditions, {}); }
  EXPECT_EQ(seed_of_journal(folder / "j"), 18446744073709551615U);
  { const Journal journal(folder / "k", {{"seed", "auto"}}, {}); }
  EXPECT_TRUE(refusal_of([&] { (void)seed_of_journal(folder / "k"); }).says("names no seed"));
}

}  // namespace
}  // namespace attest::journal_test
