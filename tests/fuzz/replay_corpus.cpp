// Goal: what a fuzz target is fed from a folder does no harm, nor does any beginning of it, nor it
// with any one byte changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/fuzz_target.hpp"

namespace attest {
namespace {

using Input = std::vector<std::uint8_t>;

void feed(const Input& input) {
  // A copy of just this size, so that a byte read past its end is seen where somebody looks.
  const Input exact(input.begin(), input.end());
  EXPECT_EQ(LLVMFuzzerTestOneInput(exact.data(), exact.size()), 0);
}

// Sorted, so that the first failure is the same everywhere.
std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ATTEST_FUZZ_CORPUS)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// So many changes of one input at most: images are long.
constexpr std::size_t kMostChanges = 600;

TEST(FuzzCorpus, DoesNoHarm) {
  std::size_t fed = 0;
  for (const auto& file : corpus()) {
    SCOPED_TRACE(file.string());
    std::ifstream stream(file, std::ios::binary);
    const Input whole{std::istreambuf_iterator<char>(stream), {}};
    feed(whole);
    const std::size_t step = whole.size() / kMostChanges + 1;
    for (std::size_t n = 0; n < whole.size(); n += step) {
      feed({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)});
      Input changed = whole;
      for (const int change : {1, 0x80}) {
        changed[n] = whole[n] ^ static_cast<std::uint8_t>(change);
        feed(changed);
      }
    }
    ++fed;
  }
  EXPECT_GE(fed, 2U) << "no corpus in " << ATTEST_FUZZ_CORPUS;
}

}  // namespace
}  // namespace attest
