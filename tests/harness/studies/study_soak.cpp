// Goal: the stored files of a study that takes long are what it makes today.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "harness/studies/study.hpp"

namespace attest {
namespace {

TEST(StudySoak, MakesTheFilesThatStandInTheStudysFolder) {
  for (const Study& study : studies()) {
    if (!study.takes_long) continue;  // tests/harness/cli/study_command_test.cpp
    for (const StudyFile& file : study.make()) {
      std::ifstream in(ATTEST_SOURCE_DIR "/studies/" + std::string(study.name) + "/" + file.name);
      const std::string stored{std::istreambuf_iterator<char>(in), {}};
      EXPECT_EQ(file.text, stored) << study.name << '/' << file.name;
    }
  }
}

}  // namespace
}  // namespace attest
