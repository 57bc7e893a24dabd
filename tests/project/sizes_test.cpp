// Goal: every source stays short enough for one reading. Above the soft limit it is reported, above
// the hard one it fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/project/project_files.hpp"

namespace attest::project {
namespace {

constexpr auto kSoftLimit = 300;
constexpr auto kHardLimit = 400;

bool is_source(const std::string& path) {
  return is_cpp(path) || path.ends_with(".py") || path.ends_with(".cmake") ||
         path.ends_with("CMakeLists.txt") || is_below(path, "ci");
}

TEST(Sizes, KeepEverySourceWithinOneReading) {
  std::vector<std::string> too_long;
  for (const ProjectFile& file : project_files()) {
    if (!is_source(file.path)) continue;
    const auto count = std::ranges::count(file.text, '\n');
    const std::string line = file.path + " has " + std::to_string(count) + " lines";
    if (count > kHardLimit)
      too_long.push_back(line);
    else if (count > kSoftLimit)
      std::cout << "note: " << line << ", over the soft limit of 300\n";
  }
  EXPECT_TRUE(too_long.empty()) << lines(too_long);
}

}  // namespace
}  // namespace attest::project
