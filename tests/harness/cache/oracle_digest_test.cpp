// Goal: no source on which an answer depends can change and leave the digest as it was.
#include "harness/cache/oracle_digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "fixtures/sha256.hpp"

namespace attest::oracle_digest_test {
namespace {

namespace fs = std::filesystem;

// By walking the folders, where the build has a list.
std::vector<std::string> sources() {
  std::vector<std::string> files;
  const fs::path root = ATTEST_SOURCE_DIR;
  for (const char* folder : {"core", "oracle", "harness/cache"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp") continue;
      files.push_back(fs::relative(entry.path(), root).string());
    }
  }
  std::ranges::sort(files);
  return files;
}

TEST(OracleDigest, IsThatOfEverySourceAsItLies) {
  std::string lines;
  for (const std::string& file : sources()) {
    lines += sha256_of_file(fs::path(ATTEST_SOURCE_DIR) / file) + "  " + file + "\n";
  }
  EXPECT_EQ(oracle_digest(), sha256_of_bytes(std::as_bytes(std::span(lines))));
}

TEST(OracleDigest, StandsBesideTheCompilerAndTheLibraries) {
  for (const char* part : {" mpfr 4.", " openblas 0.", "-O"}) {
    EXPECT_NE(oracle_toolchain().find(part), std::string_view::npos) << oracle_toolchain();
  }
}

}  // namespace
}  // namespace attest::oracle_digest_test
