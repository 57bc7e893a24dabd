// text_lines.hpp - a report as lines, and questions about their order.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace attest {

[[nodiscard]] inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The first line that begins so; empty where there is none.
[[nodiscard]] inline std::string line_beginning(const std::string& text, const std::string& start) {
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with(start)) return line;
  }
  return {};
}

// The first word of each line.
[[nodiscard]] inline std::vector<std::string> first_words(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string& line : lines_of(text)) {
    std::string word;
    std::istringstream(line) >> word;
    words.push_back(word);
  }
  return words;
}

[[nodiscard]] inline bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace attest
