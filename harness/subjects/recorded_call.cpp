#include "harness/subjects/recorded_call.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "core/error.hpp"
#include "core/key_values.hpp"

namespace attest {
namespace {

constexpr std::string_view kFirstLine = "attest.call/1";
constexpr std::string_view kHexDigits = "0123456789abcdef";

struct Line {
  std::string_view text;
  int number = 0;
};
using Lines = std::map<std::string, Line, std::less<>>;  // by their names

[[noreturn]] void fail_on(int line, const std::string& problem) {
  throw Error(Blame::usage, "recorded call, line " + std::to_string(line) + ": " + problem);
}

// Names of all lines, in the order of writing.
constexpr std::array<std::string_view, 13> kNames = {
    "problem", "numerics", "semantics", "q",  "k",  "v", "o",
    "lse",     "dout",     "glse",      "dq", "dk", "dv"};

Lines lines_of(std::string_view text) {
  Lines lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (number == 1) {
      if (line != kFirstLine) fail_on(1, "it begins with '" + std::string(kFirstLine) + "'");
      continue;
    }
    if (line.empty()) continue;
    const std::size_t space = line.find(' ');
    const std::string_view name = line.substr(0, space);
    if (std::ranges::find(kNames, name) == kNames.end()) {
      fail_on(number, unknown_name("line", name.substr(0, 20), kNames));
    }
    const std::string_view rest =
        space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
    if (!lines.emplace(name, Line{rest, number}).second) {
      fail_on(number, "'" + std::string(name) + "' is there twice");
    }
  }
  return lines;
}

Line line_named(const Lines& lines, std::string_view name) {
  const auto found = lines.find(name);
  if (found != lines.end()) return found->second;
  throw Error(Blame::usage, "recorded call: a line '" + std::string(name) + " ...' is missing");
}

// What else a text is wrong in is said with its line.
template <class Parse>
auto parsed(const Line& line, Parse parse) {
  try {
    return parse(line.text);
  } catch (const Error& error) {
    fail_on(line.number, error.what());
  }
}

// The digits are counted before there is a tensor of that size.
Tensor read_tensor(const Lines& lines, std::string_view name, Format format,
                   const Extents& extents) {
  const Line line = line_named(lines, name);
  const auto width = static_cast<std::size_t>(bytes_of(format));
  const std::size_t digits = 2 * static_cast<std::size_t>(volume(extents)) * width;
  if (line.text.size() != digits) {
    fail_on(line.number, std::string(name) + " has " + std::to_string(line.text.size()) +
                             " hexadecimal digits, and its shape needs " + std::to_string(digits));
  }
  Tensor tensor(format, extents);
  for (std::size_t n = 0; n < digits; ++n) {
    const std::size_t digit = kHexDigits.find(line.text[n]);
    if (digit == std::string_view::npos) {
      fail_on(line.number, std::string(name) + " has a '" + line.text[n] + "' among its digits");
    }
    const std::size_t byte = n / 2;
    std::byte& target = tensor.bytes()[byte / width * width + (width - 1 - byte % width)];
    target = target << 4 | static_cast<std::byte>(digit);
  }
  return tensor;
}

void refuse_strangers(const Lines& lines, const Problem& p) {
  for (const std::string_view name : {"dout", "dq", "dk", "dv", "glse"}) {
    const bool belongs = name == "glse" ? p.lse_gradient : p.pass == Pass::bwd;
    const auto found = lines.find(name);
    if (found != lines.end() && !belongs) {
      fail_on(found->second.number, "the problem has no " + std::string(name));
    }
  }
}

void write_tensor(std::string& text, std::string_view name, const Tensor& tensor) {
  const auto width = static_cast<std::size_t>(bytes_of(tensor.format()));
  text += std::string(name) + " ";
  for (std::size_t element = 0; element < tensor.bytes().size(); element += width) {
    for (std::size_t n = width; n-- > 0;) {
      const auto byte = static_cast<unsigned>(tensor.bytes()[element + n]);
      text += kHexDigits[byte >> 4];
      text += kHexDigits[byte & 15];
    }
  }
  text += "\n";
}

}  // namespace

RecordedCall read_recorded_call(std::string_view text) {
  if (text.empty()) fail_on(1, "it is empty");
  const Lines lines = lines_of(text);
  RecordedCall call;
  Problem& p = call.problem;
  p = parsed(line_named(lines, "problem"), parse_problem);
  if (lines.contains("numerics")) call.numerics = parsed(lines.at("numerics"), parse_numerics);
  if (lines.contains("semantics")) call.semantics = parsed(lines.at("semantics"), parse_semantics);
  refuse_strangers(lines, p);
  call.inputs.q = read_tensor(lines, "q", p.in, p.q_extents());
  call.inputs.k = read_tensor(lines, "k", p.in, p.k_extents());
  call.inputs.v = read_tensor(lines, "v", p.in, p.v_extents());
  call.o = read_tensor(lines, "o", p.out, p.o_extents());
  call.lse = read_tensor(lines, "lse", Format::f32, p.lse_extents());
  if (p.pass == Pass::fwd) return call;
  call.inputs.dout = read_tensor(lines, "dout", p.in, p.o_extents());
  if (p.lse_gradient) {
    call.inputs.glse = read_tensor(lines, "glse", Format::f32, p.lse_extents());
  }
  call.dq = read_tensor(lines, "dq", p.out, p.q_extents());
  call.dk = read_tensor(lines, "dk", p.out, p.k_extents());
  call.dv = read_tensor(lines, "dv", p.out, p.v_extents());
  return call;
}

std::string to_string(const RecordedCall& call) {
  std::string text = std::string(kFirstLine) + "\nproblem " + to_string(call.problem) +
                     "\nnumerics " + to_string(call.numerics) + "\nsemantics " +
                     to_string(call.semantics) + "\n";
  const Inputs& in = call.inputs;
  write_tensor(text, "q", in.q);
  write_tensor(text, "k", in.k);
  write_tensor(text, "v", in.v);
  write_tensor(text, "o", call.o);
  write_tensor(text, "lse", call.lse);
  if (call.problem.pass == Pass::fwd) return text;
  write_tensor(text, "dout", in.dout);
  if (call.problem.lse_gradient) write_tensor(text, "glse", in.glse);
  write_tensor(text, "dq", call.dq);
  write_tensor(text, "dk", call.dk);
  write_tensor(text, "dv", call.dv);
  return text;
}

}  // namespace attest
