// study.hpp - questions about arithmetic that the judge can answer, each with its data.
//
// A study is a folder below studies/: the question and what it says (README.md), the data (CSV)
// and, where it shows more, a plot (SVG). All of its files come from one command and are the same
// bytes each time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

struct StudyFile {
  std::string name;
  std::string text;
};

struct Study {
  std::string_view name;      // of its folder
  std::string_view question;  // one sentence
  std::vector<StudyFile> (*make)();
  bool takes_long = false;  // more than a few seconds
};

[[nodiscard]] std::span<const Study> studies();

// Throws Error (usage) listing the known names.
[[nodiscard]] const Study& study_named(std::string_view name);

}  // namespace attest
