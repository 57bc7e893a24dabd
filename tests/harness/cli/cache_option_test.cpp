// Goal: answers are kept where users and their environment say, nowhere else, and no report shows
// whether they were.
#include "harness/cli/cache_option.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::cache_option_test {
namespace {

namespace fs = std::filesystem;

// Multiprecision takes some milliseconds for it.
const std::string kCase =
    "attest1:b=1;hq=1;hk=1;nq=40;nk=60;dqk=16;dv=16;in=f16;out=f16;scale=0x1p-2;left=inf;right=inf;"
    "align=br;pass=fwd;family=F0;seed=1";

std::size_t files_in(const fs::path& folder) {
  if (!fs::exists(folder)) return 0;
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(CacheOption, KeepsAnswersInTheFolderThatUsersAreUsedTo) {
  Attest attest;
  const fs::path home = attest.folder() / "home";
  attest.set("HOME", home.string());
  const Ran first = attest.run({"oracle", kCase});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(files_in(home / ".cache/attest"), 1U);
  const fs::path xdg = attest.folder() / "xdg";
  attest.set("XDG_CACHE_HOME", xdg.string());
  const Ran second = attest.run({"oracle", kCase});
  EXPECT_EQ(files_in(xdg / "attest"), 1U);
  EXPECT_EQ(files_in(home / ".cache/attest"), 1U);
  const fs::path own = attest.folder() / "own";
  attest.set("ATTEST_CACHE_DIR", own.string());
  const Ran third = attest.run({"oracle", kCase});
  EXPECT_EQ(files_in(own), 1U);
  EXPECT_EQ(files_in(xdg / "attest"), 1U);
  const fs::path named = attest.folder() / "named";
  const Ran fourth = attest.run({"oracle", kCase, "--cache", named.string()});
  EXPECT_EQ(files_in(named), 1U);
  EXPECT_EQ(files_in(own), 1U);
  for (const Ran* ran : {&second, &third, &fourth}) EXPECT_EQ(ran->out, first.out);
}

TEST(CacheOption, KeepsNothingWhereItIsNotWanted) {
  Attest attest;
  const fs::path home = attest.folder() / "home";
  attest.set("HOME", home.string());
  EXPECT_EQ(attest.run({"oracle", kCase, "--no-cache"}).status, 0);
  EXPECT_EQ(attest.run({"check", "--subject", "plain", "--cases", "2", "--no-cache"}).status, 0);
  EXPECT_FALSE(fs::exists(home));
  attest.set("ATTEST_CACHE_DIR", "");
  EXPECT_EQ(attest.run({"oracle", kCase}).status, 0);
  EXPECT_FALSE(fs::exists(home));
  EXPECT_EQ(attest.run({"oracle", kCase, "--no-cache", "--cache", "x"}).status, 2);
}

TEST(CacheOption, KeepsNothingWhereThereIsNoHome) {
  const Attest attest;
  EXPECT_EQ(attest.run({"oracle", kCase}).status, 0);
  Attest relative;
  relative.set("XDG_CACHE_HOME", "here");
  EXPECT_EQ(relative.run({"oracle", kCase}).status, 0);
  EXPECT_FALSE(fs::exists(relative.folder() / "here"));
}

TEST(CacheOption, SaysInOneLineThatAFolderCannotBeUsed) {
  Attest attest;
  const fs::path taken = attest.folder() / "taken";
  std::ofstream(taken) << "a file";
  const Ran without = attest.run({"oracle", kCase, "--no-cache"});
  EXPECT_EQ(without.err, "");
  const Ran ran = attest.run({"oracle", kCase, "--cache", taken.string()});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, without.out);
  EXPECT_TRUE(ran.err.starts_with("attest: answers are not kept: ")) << ran.err;
  EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
}

TEST(CacheOption, ChangesNoReport) {
  const Attest attest;
  const std::string folder = (attest.folder() / "kept").string();
  const auto report = [&](std::vector<std::string> cache) {
    std::vector<std::string> line = {"check",  "--subject", "plain",  "--cases", "6",
                                     "--pass", "both",      "--json", "-"};
    line.insert(line.end(), cache.begin(), cache.end());
    const Ran ran = attest.run(line);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.out + ran.err;
  };
  const std::string without = report({"--no-cache"});
  EXPECT_EQ(report({"--cache", folder}), without);
  EXPECT_GT(files_in(folder), 0U);
  EXPECT_EQ(report({"--cache", folder}), without);
}

}  // namespace
}  // namespace attest::cache_option_test
