// Goal: the repository speaks of attention and its proofs, and names no place that a reader of it
// cannot reach. The words are written in halves, or this file would find itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "tests/project/project_files.hpp"

namespace attest::project {
namespace {

// Folders outside the repository, hosts of package registries, and who wrote it.
const std::string kUnwelcome[] = {
    "../sh"
    "ared",
    "/wo"
    "rk/",
    "py"
    "pi.org",
    "pythonhosted"
    ".org",
    "npm"
    "js.",
    "crates"
    ".io",
    "proxy.golang"
    ".org",
    "docker"
    ".io",
    "gh"
    "cr.io",
    "ses"
    "sion",
    "chat"
    "gpt",
    "cla"
    "ude"};

std::vector<std::string> unwelcome_words(const ProjectFile& file) {
  std::string text = file.text;
  std::ranges::transform(text, text.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  std::vector<std::string> found;
  for (const std::string& word : kUnwelcome) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) continue;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    found.push_back(file.path + ":" + std::to_string(line) + ": '" + word + "'");
  }
  return found;
}

TEST(WordRules, SeeAPlantedWord) {
  EXPECT_EQ(unwelcome_words({"a.md",
                             "one\nsee ../sh"
                             "ared/x\n"}),
            std::vector<std::string>{"a.md:2: '../sh"
                                     "ared'"});
  EXPECT_EQ(unwelcome_words({"a.md",
                             "In an earlier Ses"
                             "sion"})
                .size(),
            1u);
  EXPECT_EQ(unwelcome_words({"a.md", "obsessed with shared work"}).size(), 0u);
}

TEST(Words, OfTheProjectNameNoPlaceThatAReaderCannotReach) {
  std::vector<std::string> found;
  for (const ProjectFile& file : project_files()) {
    for (const auto& word : unwelcome_words(file)) found.push_back(word);
  }
  EXPECT_TRUE(found.empty()) << lines(found);
}

}  // namespace
}  // namespace attest::project
