#include "properties/counterexamples.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>

#include "core/error.hpp"
#include "core/file_bytes.hpp"

namespace attest {
namespace {

constexpr std::string_view kHeading =
    "# Cases that once failed, replayed before anything new: case, subject, law, unit.\n";

[[noreturn]] void fail_line(const std::filesystem::path& file, int line,
                            const std::string& defect) {
  throw Error(Blame::usage, file.string() + ":" + std::to_string(line) + ": " + defect);
}

Unit parse_unit(const std::filesystem::path& file, int number, const std::string& word) {
  const std::optional<Unit> unit = unit_named(word);
  if (!unit) fail_line(file, number, "there is no unit '" + word + "'");
  return *unit;
}

Counterexample parse_line(const std::filesystem::path& file, int number, const std::string& line) {
  std::istringstream words(line);
  std::string text;
  std::string unit;
  std::string rest;
  Counterexample read;
  if (!(words >> text >> read.subject >> read.law) || (words >> unit && words >> rest)) {
    fail_line(file, number,
              "a line holds a case, a subject, a law and perhaps a unit, separated by blanks");
  }
  if (!unit.empty()) read.unit = parse_unit(file, number, unit);
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

// The folder of the list, made where it is missing.
std::filesystem::path made_folder(const std::filesystem::path& file) {
  if (!file.has_parent_path()) return ".";
  const std::filesystem::path folder = file.parent_path();
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw Error(Blame::ours,
                "cannot write " + file.string() + ": no folder can be made: " + failure.message());
  }
  return folder;
}

}  // namespace

std::vector<Counterexample> read_counterexamples(const std::filesystem::path& file) {
  std::error_code unreachable;
  if (!std::filesystem::exists(file, unreachable)) return {};
  if (!std::filesystem::is_regular_file(file)) {
    throw Error(Blame::usage, file.string() + " is no file");
  }
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
  const FolderLock lock(made_folder(file));  // runs may share it
  const std::vector<Counterexample> list = read_counterexamples(file);
  if (std::ranges::find(list, counterexample) != list.end()) return;
  // The rest of the file, comments included, stays as its authors wrote it.
  std::string text = text_of(file);
  if (text.empty()) text = kHeading;
  if (text.back() != '\n') text += '\n';
  text += to_string(counterexample.c) + " " + counterexample.subject + " " + counterexample.law;
  if (counterexample.unit != Unit::fp32_seq)
    text += " " + std::string(name_of(counterexample.unit));
  text += '\n';
  replace_file(file, std::as_bytes(std::span(text)));
}

}  // namespace attest
