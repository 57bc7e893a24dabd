#include "properties/counterexamples.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include "core/error.hpp"

namespace attest {
namespace {

constexpr std::string_view kHeading =
    "# Cases that once failed, replayed before anything new: case, subject, law.\n";

[[noreturn]] void fail_line(const std::filesystem::path& file, int line,
                            const std::string& defect) {
  throw Error(Blame::usage, file.string() + ":" + std::to_string(line) + ": " + defect);
}

Counterexample parse_line(const std::filesystem::path& file, int number, const std::string& line) {
  std::istringstream words(line);
  std::string text;
  std::string rest;
  Counterexample read;
  if (!(words >> text >> read.subject >> read.law) || words >> rest) {
    fail_line(file, number, "a line holds a case, a subject and a law, separated by blanks");
  }
  try {
    read.c = parse_case(text);
  } catch (const Error& error) {
    fail_line(file, number, error.what());
  }
  return read;
}

bool has_blank(const std::string& word) {
  return word.empty() || word.find_first_of(" \t\r\n") != std::string::npos;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  return std::move(text).str();
}

void replace_file(const std::filesystem::path& file, const std::string& text) {
  std::error_code failure;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), failure);
  const std::filesystem::path beside = file.string() + ".new";
  std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) throw Error(Blame::ours, "cannot write " + beside.string());
  std::filesystem::rename(beside, file, failure);
  if (failure)
    throw Error(Blame::ours, "cannot rename " + beside.string() + ": " + failure.message());
}

}  // namespace

std::vector<Counterexample> read_counterexamples(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return {};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(Blame::usage, "cannot read " + file.string());
  std::vector<Counterexample> list;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    list.push_back(parse_line(file, number, line));
  }
  return list;
}

void add_counterexample(const std::filesystem::path& file, const Counterexample& counterexample) {
  for (const std::string& word : {counterexample.subject, counterexample.law}) {
    if (has_blank(word)) {
      throw Error(Blame::usage, "'" + word +
                                    "' cannot stand in a counterexample list: it is empty "
                                    "or holds a blank");
    }
  }
  const std::vector<Counterexample> list = read_counterexamples(file);
  if (std::ranges::find(list, counterexample) != list.end()) return;
  // The rest of the file, comments included, stays as its authors wrote it.
  std::string text = text_of(file);
  if (text.empty()) text = kHeading;
  if (text.back() != '\n') text += '\n';
  text +=
      to_string(counterexample.c) + " " + counterexample.subject + " " + counterexample.law + "\n";
  replace_file(file, text);
}

}  // namespace attest
