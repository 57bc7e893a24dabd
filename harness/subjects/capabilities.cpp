#include "harness/subjects/capabilities.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>

#include "core/key_values.hpp"

namespace attest {
namespace {

constexpr std::string_view kCapabilities = "capabilities";
constexpr std::string_view kPromises = "promises";
constexpr Index kLargestAlignment = 4096;  // a page: tensors begin or end at one

// One item of a comma-separated list, and where it stands in the text.
struct Item {
  std::string_view text;
  std::size_t offset;
};

std::vector<Item> items_of(const KeyValue& entry) {
  std::vector<Item> items;
  for (std::size_t start = 0; start <= entry.value.size();) {
    const std::size_t end = std::min(entry.value.find(',', start), entry.value.size());
    items.push_back({entry.value.substr(start, end - start), entry.value_offset + start});
    start = end + 1;
  }
  return items;
}

// "a:b", or "a" for "a:a".
std::pair<std::string_view, std::string_view> pair_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {text, text};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

Format parse_format(std::string_view name, std::size_t offset) {
  if (const auto format = format_named(name)) return *format;
  std::vector<std::string_view> known;
  for (const Format format : kFormats) known.push_back(shape_of(format).name);
  fail_at(kCapabilities, offset, unknown_name("format", name, known));
}

Index parse_positive(std::string_view text, std::size_t offset) {
  Index value = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (trouble != std::errc() || end != text.data() + text.size() || value < 1) {
    fail_at(kCapabilities, offset, "'" + std::string(text) + "' is no positive number");
  }
  return value;
}

bool parse_yes(std::string_view what, const KeyValue& entry) {
  if (entry.value == "yes") return true;
  if (entry.value == "no") return false;
  fail_at(what, entry.value_offset, "'" + std::string(entry.value) + "' is neither yes nor no");
}

void read_formats(const KeyValue& entry, Capabilities& c) {
  for (const Item& item : items_of(entry)) {
    const auto [in, out] = pair_of(item.text);
    c.formats.push_back({parse_format(in, item.offset), parse_format(out, item.offset)});
  }
}

void read_head_dims(const KeyValue& entry, Capabilities& c) {
  if (entry.value == "any") return;
  c.head_dims.emplace();
  for (const Item& item : items_of(entry)) {
    const auto [d_qk, d_v] = pair_of(item.text);
    c.head_dims->push_back({parse_positive(d_qk, item.offset), parse_positive(d_v, item.offset)});
  }
}

void read_masks(const KeyValue& entry, Capabilities& c) {
  constexpr std::string_view known[] = {"full", "causal", "window", "band"};
  bool Masks::*const members[] = {&Masks::full, &Masks::causal, &Masks::window, &Masks::band};
  c.masks = {false, false, false, false};
  for (const Item& item : items_of(entry)) {
    const auto* const found = std::ranges::find(known, item.text);
    if (found == std::end(known)) {
      fail_at(kCapabilities, item.offset, unknown_name("mask", item.text, known));
    }
    c.masks.*members[found - known] = true;
  }
}

void read_alignment(const KeyValue& entry, Capabilities& c) {
  c.alignment = parse_positive(entry.value, entry.value_offset);
  if (!std::has_single_bit(static_cast<std::uint64_t>(c.alignment)) ||
      c.alignment > kLargestAlignment) {
    fail_at(kCapabilities, entry.value_offset,
            "alignment " + std::string(entry.value) + " is no power of two up to 4096");
  }
}

void read_device(const KeyValue& entry, Capabilities& c) {
  constexpr std::string_view known[] = {"cpu", "cuda"};
  c.cuda = entry.value == "cuda";
  if (!c.cuda && entry.value != "cpu") {
    fail_at(kCapabilities, entry.value_offset, unknown_name("device", entry.value, known));
  }
}

template <class Result>
struct Reader {
  std::string_view key;
  std::function<void(const KeyValue&, Result&)> read;
};

template <class Result>
Result parse(std::string_view what, std::string_view text,
             const std::vector<Reader<Result>>& readers) {
  Result result;
  const std::vector<KeyValue> entries = split_key_values(what, text);
  refuse_repeated_keys(what, entries);
  for (const KeyValue& entry : entries) {
    const auto reader = std::ranges::find(readers, entry.key, &Reader<Result>::key);
    if (reader == readers.end()) {
      std::vector<std::string_view> known;
      for (const auto& one : readers) known.push_back(one.key);
      fail_at(what, entry.key_offset, unknown_name("key", entry.key, known));
    }
    reader->read(entry, result);
  }
  return result;
}

Reader<Capabilities> flag(std::string_view key, bool Capabilities::*member) {
  return {key, [=](const KeyValue& entry, Capabilities& c) {
            c.*member = parse_yes(kCapabilities, entry);
          }};
}

bool allows(const Masks& masks, const Problem& p) {
  if (masks.band) return true;
  const bool open = p.left == kUnlimited;
  if (open && p.right == kUnlimited) return masks.full;
  if (open && p.right == 0 && masks.causal) return true;
  return masks.window && p.left >= 0 && p.right >= 0;
}

// The first mask of a kind that is allowed, from what is most like the problem's own.
void fit_mask(const Masks& masks, Problem& p) {
  if (allows(masks, p)) return;
  const Problem drawn = p;
  const auto banded = [&](Index left, Index right) {
    p.left = left;
    p.right = right;
    return allows(masks, p);
  };
  const auto reach = [](Index width) { return std::max(width, Index{0}); };
  if (drawn.right == 0 && banded(kUnlimited, 0)) return;
  const bool unmasked = drawn.left == kUnlimited && drawn.right == kUnlimited;
  if (!unmasked && banded(reach(drawn.left), reach(drawn.right))) return;
  if (!unmasked && banded(kUnlimited, 0)) return;
  if (banded(kUnlimited, kUnlimited) || banded(kUnlimited, 0)) return;
  (void)banded(p.n_k / 2, p.n_k / 4);
}

// Which of several: any function of the problem that spreads.
std::size_t spread(const Problem& p) {
  return static_cast<std::size_t>(7 * p.n_q + 5 * p.n_k + 3 * p.d_qk + p.d_v + p.heads_q);
}

void fit_formats(const std::vector<FormatPair>& formats, Problem& p) {
  std::vector<FormatPair> alike;
  for (const FormatPair& pair : formats) {
    if (pair == FormatPair{p.in, p.out}) return;
    if (pair.in == p.in) alike.push_back(pair);
  }
  const std::vector<FormatPair>& from = alike.empty() ? formats : alike;
  const FormatPair& chosen = from[spread(p) % from.size()];
  p.in = chosen.in;
  p.out = chosen.out;
}

void fit_dims(const std::vector<HeadDims>& dims, Problem& p) {
  if (std::ranges::find(dims, HeadDims{p.d_qk, p.d_v}) != dims.end()) return;
  const HeadDims& chosen = dims[spread(p) % dims.size()];
  if (chosen.d_qk != p.d_qk) p.scale = default_scale(chosen.d_qk);
  p.d_qk = chosen.d_qk;
  p.d_v = chosen.d_v;
}

}  // namespace

Capabilities parse_capabilities(std::string_view text) {
  static const std::vector<Reader<Capabilities>> readers = {{"formats", read_formats},
                                                            {"head_dims", read_head_dims},
                                                            {"masks", read_masks},
                                                            flag("gqa", &Capabilities::gqa),
                                                            flag("varlen", &Capabilities::varlen),
                                                            flag("glse", &Capabilities::glse),
                                                            {"alignment", read_alignment},
                                                            {"device", read_device}};
  Capabilities capabilities = parse(kCapabilities, text, readers);
  if (capabilities.formats.empty()) {
    fail_at(kCapabilities, 0, "no key 'formats', so that there is nothing to ask for");
  }
  return capabilities;
}

Promises parse_promises(std::string_view text) {
  const auto promise = [](std::string_view key, bool Promises::*member) {
    return Reader<Promises>{key, [=](const KeyValue& entry, Promises& promises) {
                              promises.*member = parse_yes(kPromises, entry);
                            }};
  };
  static const std::vector<Reader<Promises>> readers = {
      promise("deterministic", &Promises::deterministic),
      promise("batch_invariant", &Promises::batch_invariant)};
  return parse(kPromises, text, readers);
}

std::optional<std::string> beyond(const Capabilities& c, const Problem& p) {
  if (std::ranges::find(c.formats, FormatPair{p.in, p.out}) == c.formats.end()) {
    return "it declares no format " + std::string(shape_of(p.in).name) + ":" +
           std::string(shape_of(p.out).name);
  }
  if (c.head_dims &&
      std::ranges::find(*c.head_dims, HeadDims{p.d_qk, p.d_v}) == c.head_dims->end()) {
    return "it declares no head dimensions " + std::to_string(p.d_qk) + ":" + std::to_string(p.d_v);
  }
  if (!allows(c.masks, p)) return "it declares no such mask";
  if (!c.gqa && p.heads_q != p.heads_k) return "it declares no gqa";
  if (!c.varlen && !(p.lq.empty() && p.lk.empty())) return "it declares no varlen";
  if (!c.glse && p.lse_gradient) return "it declares no glse";
  return std::nullopt;
}

Problem nearest(const Capabilities& c, const Problem& problem) {
  Problem p = problem;
  fit_formats(c.formats, p);
  if (c.head_dims) fit_dims(*c.head_dims, p);
  fit_mask(c.masks, p);
  if (!c.gqa) p.heads_q = p.heads_k;
  if (!c.varlen) {
    p.lq.clear();
    p.lk.clear();
  }
  if (!c.glse) p.lse_gradient = false;
  return p;
}

}  // namespace attest
