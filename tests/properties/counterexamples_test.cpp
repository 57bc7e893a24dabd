// Goal: what was found is not lost: a list reads back what was added, keeps the comments of its
// authors, takes each entry once, and says which line is wrong.
#include "properties/counterexamples.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/fixtures/own_folder.hpp"
#include "tests/properties/drawn.hpp"

namespace attest::counterexamples_test {
namespace {

Counterexample sample(std::uint64_t index, const std::string& law = "accuracy") {
  return {draw(1, index), "canary/m11-top-left-causal", law};
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

TEST(Counterexamples, AMissingFileIsAnEmptyList) {
  const OwnFolder folder;
  EXPECT_TRUE(read_counterexamples(folder / "none.txt").empty());
}

TEST(Counterexamples, ReadsBackWhatWasAddedInThatOrder) {
  const OwnFolder folder;
  const auto file = folder / "deep/folder/counterexamples.txt";
  const Problem p = open_problem(Format::f16, 2, 3, 4);
  const Counterexample literal{{p, values_of("F1", p, 3)}, "plain", "one_key"};
  add_counterexample(file, sample(1));
  add_counterexample(file, literal);
  add_counterexample(file, sample(1, "one_key"));
  EXPECT_EQ(read_counterexamples(file), (std::vector{sample(1), literal, sample(1, "one_key")}));
}

TEST(Counterexamples, TakesEachEntryOnce) {
  const OwnFolder folder;
  const auto file = folder / "list.txt";
  add_counterexample(file, sample(1));
  const std::string once = text_of(file);
  add_counterexample(file, sample(1));
  EXPECT_EQ(text_of(file), once);
}

TEST(Counterexamples, KeepsCommentsBlankLinesAndALineWithoutItsEnd) {
  const OwnFolder folder;
  const auto file = folder / "list.txt";
  const std::string before =
      "# found by hand\n\n  # indented\n" + to_string(sample(1).c) + "  plain\taccuracy";
  write(file, before);
  add_counterexample(file, sample(2));
  EXPECT_EQ(text_of(file),
            before + "\n" + to_string(sample(2).c) + " canary/m11-top-left-causal accuracy\n");
  EXPECT_EQ(read_counterexamples(file).size(), 2u);
}

TEST(Counterexamples, KeepTheUnitThatTheyNeed) {
  const OwnFolder folder;
  const auto file = folder / "list.txt";
  Counterexample on_unit = sample(1);
  on_unit.unit = Unit::h100;
  add_counterexample(file, on_unit);
  add_counterexample(file, sample(1));
  EXPECT_EQ(read_counterexamples(file), (std::vector{on_unit, sample(1)}));
  EXPECT_NE(text_of(file).find("accuracy h100\n"), std::string::npos);
}

TEST(Counterexamples, LeavesNothingBesideTheFile) {
  const OwnFolder folder;
  add_counterexample(folder / "list.txt", sample(1));
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++files;
  }
  EXPECT_EQ(files, 1);
}

TEST(Counterexamples, NamesFileLineAndDefect) {
  const OwnFolder folder;
  const auto file = folder / "list.txt";
  write(file, "# heading\nattest1:b=1 plain\n");
  const std::string few = error_of([&] { (void)read_counterexamples(file); });
  EXPECT_NE(few.find("usage: "), std::string::npos) << few;
  EXPECT_NE(few.find("list.txt:2: a line holds a case, a subject, a law"), std::string::npos)
      << few;
  write(file, to_string(sample(1).c) + " plain accuracy too-much\n");
  EXPECT_NE(error_of([&] { (void)read_counterexamples(file); }).find("list.txt:1: "),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)read_counterexamples(file); }).find("no unit 'too-much'"),
            std::string::npos);
  write(file, "\n\nattest1:b=zwei plain accuracy\n");
  const std::string bad = error_of([&] { (void)read_counterexamples(file); });
  EXPECT_NE(bad.find("list.txt:3: "), std::string::npos) << bad;
  EXPECT_NE(bad.find("zwei"), std::string::npos) << bad;
}

TEST(Counterexamples, ABadListIsNotOverwritten) {
  const OwnFolder folder;
  const auto file = folder / "list.txt";
  write(file, "rubbish\n");
  EXPECT_NE(error_of([&] { add_counterexample(file, sample(1)); }), "nothing");
  EXPECT_EQ(text_of(file), "rubbish\n");
}

TEST(Counterexamples, RefusesANameThatWouldNotReadBack) {
  const OwnFolder folder;
  Counterexample blank = sample(1);
  blank.subject = "plugin:./my kernel.so";
  const std::string error = error_of([&] { add_counterexample(folder / "list.txt", blank); });
  EXPECT_NE(error.find("my kernel"), std::string::npos) << error;
  EXPECT_FALSE(std::filesystem::exists(folder / "list.txt"));
}

TEST(Counterexamples, SaysWhatItCannotWrite) {
  const OwnFolder folder;
  write(folder / "file", "not a folder");
  const std::string error =
      error_of([&] { add_counterexample(folder / "file/list.txt", sample(1)); });
  EXPECT_NE(error.find("ours: cannot write"), std::string::npos) << error;
}

}  // namespace
}  // namespace attest::counterexamples_test
