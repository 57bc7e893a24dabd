// Goal: a study's stored files are what its command writes today.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "harness/studies/study.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::study_command_test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(StudyCommand, WritesTheFilesThatStandInTheStudysFolder) {
  const Attest attest;
  for (const Study& study : studies()) {
    if (study.takes_long) continue;  // tests/harness/studies/study_soak.cpp
    const std::string name(study.name);
    const Ran ran = attest.run({"study", name});
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::filesystem::path stored = std::filesystem::path(ATTEST_SOURCE_DIR "/studies") / name;
    const std::filesystem::path made = attest.folder() / ("studies/" + name);
    for (const char* file : {"README.md", "data.csv", "plot.svg"}) {
      EXPECT_FALSE(text_of(made / file).empty()) << file;
      EXPECT_EQ(text_of(made / file), text_of(stored / file)) << file;
    }
  }
}

TEST(StudyCommand, ListsAndRefuses) {
  const Attest attest;
  const Ran listed = attest.run({"study", "--list"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_EQ(first_words(listed.out),
            (std::vector<std::string>{"accumulator-width", "rules-in-use"}));
  const Ran unknown = attest.run({"study", "width"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(holds(unknown.err, "accumulator-width")) << unknown.err;
  EXPECT_EQ(attest.run({"study"}).status, 2);
  EXPECT_EQ(attest.run({"study", "accumulator-width", "--list"}).status, 2);
}

}  // namespace
}  // namespace attest::study_command_test
