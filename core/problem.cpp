#include "core/problem.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/hex_float.hpp"
#include "core/problem_text.hpp"

namespace attest {
namespace {

// A size beyond this is a slip of the keyboard; coordinates of random values end at 2^32.
constexpr Index kLargestSize = Index{1} << 31;
constexpr Index kLargestTensor = Index{1} << 33;  // times kLargestSize still fits 64 bits

// The order of the text, which is also the order that parsing insists on.
constexpr std::string_view kProblemKeys[] = {"b",     "hq", "hk",  "nq",    "nk",   "dqk",
                                             "dv",    "in", "out", "scale", "left", "right",
                                             "align", "lq", "lk",  "pass",  "glse"};

std::string lengths_text(std::string_view key, const std::vector<Index>& lengths) {
  std::string text;
  for (const Index length : lengths) text += (text.empty() ? "" : ",") + std::to_string(length);
  return lengths.empty() ? "" : ";" + std::string(key) + "=" + text;
}

std::string width_text(Index width) { return width == kUnlimited ? "inf" : std::to_string(width); }

Index parse_integer(std::string_view what, std::string_view text, std::size_t offset) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail_at(what, offset, "'" + std::string(text) + "' is not an integer");
  }
  return value;
}

std::vector<Index> read_lengths(std::string_view what, const KeyValue& entry) {
  std::vector<Index> lengths;
  std::size_t start = 0;
  while (start <= entry.value.size()) {
    const std::size_t end = std::min(entry.value.find(',', start), entry.value.size());
    lengths.push_back(
        parse_integer(what, entry.value.substr(start, end - start), entry.value_offset + start));
    start = end + 1;
  }
  return lengths;
}

Format read_format(std::string_view what, const KeyValue& entry) {
  if (const auto format = format_named(entry.value)) return *format;
  std::vector<std::string_view> names;
  for (const Format known : kFormats) names.push_back(shape_of(known).name);
  fail_at(what, entry.value_offset, unknown_name("format", entry.value, names));
}

float read_scale(std::string_view what, const KeyValue& entry) {
  const auto value = parse_number(entry.value);
  const auto narrow = static_cast<float>(value.value_or(-1.0));
  if (!value || !(narrow > 0) || !std::isfinite(narrow) || narrow != *value) {
    fail_at(what, entry.value_offset,
            "scale '" + std::string(entry.value) + "' is not a positive finite binary32");
  }
  return narrow;
}

std::string width_beyond(std::string_view key, Index width) {
  return std::string(key) + "=" + std::to_string(width) + " is beyond " +
         std::to_string(kLargestSize);
}

Index read_width(std::string_view what, const KeyValue& entry) {
  if (entry.value == "inf") return kUnlimited;
  const Index width = read_integer(what, entry);
  // Typed as a number, what stands for "inf" inside is as much beyond as its neighbours.
  if (width == kUnlimited) fail_at(what, entry.key_offset, width_beyond(entry.key, width));
  return width;
}

Align read_align(std::string_view what, const KeyValue& entry) {
  if (entry.value == "tl") return Align::top_left;
  if (entry.value == "br") return Align::bottom_right;
  constexpr std::string_view names[] = {"tl", "br"};
  fail_at(what, entry.value_offset, unknown_name("align", entry.value, names));
}

Pass read_pass(std::string_view what, const KeyValue& entry) {
  if (entry.value == "fwd") return Pass::fwd;
  if (entry.value == "bwd") return Pass::bwd;
  constexpr std::string_view names[] = {"fwd", "bwd"};
  fail_at(what, entry.value_offset, unknown_name("pass", entry.value, names));
}

// Printed only where it is given, so that "no" is never written.
bool read_lse_gradient(std::string_view what, const KeyValue& entry) {
  if (entry.value == "yes") return true;
  constexpr std::string_view names[] = {"yes"};
  fail_at(what, entry.value_offset, unknown_name("glse", entry.value, names));
}

void set_key(Problem& p, std::string_view what, const KeyValue& entry) {
  const std::string_view key = entry.key;
  if (key == "in")
    p.in = read_format(what, entry);
  else if (key == "out")
    p.out = read_format(what, entry);
  else if (key == "scale")
    p.scale = read_scale(what, entry);
  else if (key == "align")
    p.align = read_align(what, entry);
  else if (key == "pass")
    p.pass = read_pass(what, entry);
  else if (key == "glse")
    p.lse_gradient = read_lse_gradient(what, entry);
  else if (key == "lq")
    p.lq = read_lengths(what, entry);
  else if (key == "lk")
    p.lk = read_lengths(what, entry);
  else if (key == "left")
    p.left = read_width(what, entry);
  else if (key == "right")
    p.right = read_width(what, entry);
  else {
    Index& size = key == "b"     ? p.batch
                  : key == "hq"  ? p.heads_q
                  : key == "hk"  ? p.heads_k
                  : key == "nq"  ? p.n_q
                  : key == "nk"  ? p.n_k
                  : key == "dqk" ? p.d_qk
                                 : p.d_v;
    size = read_integer(what, entry);
  }
}

// Multiplies no further than the limit, so nothing overflows.
bool too_large(const Extents& extents) {
  Index elements = 1;
  for (const Index extent : extents) {
    if (extent == 0) return false;
    elements *= extent;
    if (elements > kLargestTensor) return true;
  }
  return false;
}

std::string defect_of_lengths(std::string_view key, const std::vector<Index>& lengths, Index batch,
                              Index limit) {
  if (lengths.empty()) return {};
  if (static_cast<Index>(lengths.size()) != batch) {
    return std::string(key) + " has " + std::to_string(lengths.size()) +
           " lengths for b=" + std::to_string(batch);
  }
  for (const Index length : lengths) {
    if (length < 0 || length > limit) {
      return std::string(key) + " length " + std::to_string(length) + " is outside 0.." +
             std::to_string(limit);
    }
  }
  return {};
}

std::size_t end_of(std::span<const KeyValue> entries) {
  return entries.empty() ? kCasePrefix.size()
                         : entries.back().value_offset + entries.back().value.size();
}

// A defect begins with the key that it blames.
std::size_t offset_of_defect(std::span<const KeyValue> entries, std::string_view defect) {
  const std::string_view key = defect.substr(0, defect.find_first_of(" ="));
  const auto blamed = std::ranges::find(entries, key, &KeyValue::key);
  return blamed == entries.end() ? kCasePrefix.size() : blamed->key_offset;
}

}  // namespace

float default_scale(Index d_qk) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(d_qk)));
}

std::string defect_of(const Problem& p) {
  const struct {
    std::string_view key;
    Index size;
    Index least;
  } sizes[] = {{"b", p.batch, 1}, {"hq", p.heads_q, 1}, {"hk", p.heads_k, 1}, {"nq", p.n_q, 0},
               {"nk", p.n_k, 0},  {"dqk", p.d_qk, 1},   {"dv", p.d_v, 1}};
  for (const auto& [key, size, least] : sizes) {
    if (size < least || size > kLargestSize) {
      return std::string(key) + "=" + std::to_string(size) + " is outside " +
             std::to_string(least) + ".." + std::to_string(kLargestSize);
    }
  }
  if (too_large(p.q_extents()) || too_large(p.o_extents())) {
    return "nq=" + std::to_string(p.n_q) + " makes q or o a tensor of more than 2^33 elements";
  }
  if (too_large(p.k_extents()) || too_large(p.v_extents())) {
    return "nk=" + std::to_string(p.n_k) + " makes k or v a tensor of more than 2^33 elements";
  }
  if (p.heads_q % p.heads_k != 0) {
    return "hq=" + std::to_string(p.heads_q) + " is no multiple of hk=" + std::to_string(p.heads_k);
  }
  for (const auto& [key, width] : {std::pair{"left", p.left}, std::pair{"right", p.right}}) {
    if (width != kUnlimited && (width > kLargestSize || width < -kLargestSize)) {
      return width_beyond(key, width);
    }
  }
  if (std::string defect = defect_of_lengths("lq", p.lq, p.batch, p.n_q); !defect.empty()) {
    return defect;
  }
  if (std::string defect = defect_of_lengths("lk", p.lk, p.batch, p.n_k); !defect.empty()) {
    return defect;
  }
  if (p.lse_gradient && p.pass != Pass::bwd) return "glse=yes needs pass=bwd";
  return {};
}

std::string to_string(const Problem& p) {
  std::string text(kCasePrefix);
  text += "b=" + std::to_string(p.batch) + ";hq=" + std::to_string(p.heads_q) +
          ";hk=" + std::to_string(p.heads_k) + ";nq=" + std::to_string(p.n_q) +
          ";nk=" + std::to_string(p.n_k) + ";dqk=" + std::to_string(p.d_qk) +
          ";dv=" + std::to_string(p.d_v);
  text += ";in=" + std::string(shape_of(p.in).name) + ";out=" + std::string(shape_of(p.out).name);
  text += ";scale=" + to_hex(p.scale);
  text += ";left=" + width_text(p.left) + ";right=" + width_text(p.right);
  text += p.align == Align::top_left ? ";align=tl" : ";align=br";
  text += lengths_text("lq", p.lq) + lengths_text("lk", p.lk);
  text += p.pass == Pass::bwd ? ";pass=bwd" : ";pass=fwd";
  if (p.lse_gradient) text += ";glse=yes";
  return text;
}

std::string_view strip_prefix(std::string_view what, std::string_view text) {
  if (text.substr(0, kCasePrefix.size()) != kCasePrefix) {
    fail_at(what, 0, "a " + std::string(what) + " starts with '" + std::string(kCasePrefix) + "'");
  }
  return text.substr(kCasePrefix.size());
}

Index read_integer(std::string_view what, const KeyValue& entry) {
  return parse_integer(what, entry.value, entry.value_offset);
}

ProblemRead read_problem(std::string_view what, std::span<const KeyValue> entries) {
  ProblemRead read{{}, 0};
  for (const std::string_view key : kProblemKeys) {
    const bool optional = key == "lq" || key == "lk" || key == "glse";
    if (read.entries_used < entries.size() && entries[read.entries_used].key == key) {
      set_key(read.problem, what, entries[read.entries_used++]);
    } else if (!optional) {
      if (read.entries_used == entries.size()) {
        fail_at(what, end_of(entries), "key '" + std::string(key) + "' is missing");
      }
      const KeyValue& entry = entries[read.entries_used];
      const bool known = std::ranges::find(kProblemKeys, entry.key) != std::end(kProblemKeys);
      fail_at(what, entry.key_offset,
              known ? "key '" + std::string(entry.key) + "' stands where '" + std::string(key) +
                          "' belongs; the order of keys is fixed"
                    : unknown_name("key", entry.key, kProblemKeys));
    }
  }
  if (const std::string defect = defect_of(read.problem); !defect.empty()) {
    fail_at(what, offset_of_defect(entries, defect), defect);
  }
  return read;
}

Problem parse_problem(std::string_view text) {
  constexpr std::string_view kWhat = "problem";
  const auto entries = split_key_values(kWhat, strip_prefix(kWhat, text), kCasePrefix.size());
  const ProblemRead read = read_problem(kWhat, entries);
  if (read.entries_used != entries.size()) {
    const KeyValue& entry = entries[read.entries_used];
    fail_at(kWhat, entry.key_offset, unknown_name("key", entry.key, kProblemKeys));
  }
  return read.problem;
}

}  // namespace attest
