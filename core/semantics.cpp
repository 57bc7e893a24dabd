#include "core/semantics.hpp"

#include <functional>
#include <vector>

#include "core/key_values.hpp"

namespace attest {
namespace {

constexpr std::string_view kWhat = "semantics";

// A key with all its values: how to put each, and whether it is the one that holds.
struct Choice {
  std::string_view text;
  std::function<void(Semantics&)> put;
  std::function<bool(const Semantics&)> holds;
};

struct Field {
  std::string_view key;
  std::vector<Choice> choices;
};

template <class Value>
Choice choice(std::string_view text, Value Semantics::*member, Value value) {
  return {text, [=](Semantics& s) { s.*member = value; },
          [=](const Semantics& s) { return s.*member == value; }};
}

Choice aligns(std::string_view text, bool top_left, bool bottom_right) {
  return {text,
          [=](Semantics& s) {
            s.align_top_left = top_left;
            s.align_bottom_right = bottom_right;
          },
          [=](const Semantics& s) {
            return s.align_top_left == top_left && s.align_bottom_right == bottom_right;
          }};
}

const std::vector<Field>& fields() {
  static const std::vector<Field> all = {
      {"dead_o",
       {choice("zero", &Semantics::dead_o, DeadO::zero),
        choice("nan", &Semantics::dead_o, DeadO::nan),
        choice("unspecified", &Semantics::dead_o, DeadO::unspecified)}},
      {"dead_lse",
       {choice("-inf", &Semantics::dead_lse, DeadLse::minus_inf),
        choice("+inf", &Semantics::dead_lse, DeadLse::plus_inf),
        choice("unspecified", &Semantics::dead_lse, DeadLse::unspecified)}},
      {"lse_base",
       {choice("e", &Semantics::lse_base, LseBase::e),
        choice("2", &Semantics::lse_base, LseBase::two)}},
      {"lse_scaled",
       {choice("yes", &Semantics::lse_scaled, true), choice("no", &Semantics::lse_scaled, false)}},
      {"aligns",
       {aligns("tl,br", true, true), aligns("tl", true, false), aligns("br", false, true)}},
      {"window",
       {choice("inclusive", &Semantics::window, WindowEdge::inclusive),
        choice("exclusive", &Semantics::window, WindowEdge::exclusive)}},
      {"nonfinite",
       {choice("row_local", &Semantics::nonfinite, NonFinite::row_local),
        choice("propagate", &Semantics::nonfinite, NonFinite::propagate),
        choice("unspecified", &Semantics::nonfinite, NonFinite::unspecified)}},
      {"beyond_lengths",
       {choice("zero", &Semantics::beyond_lengths, BeyondLengths::zero),
        choice("untouched", &Semantics::beyond_lengths, BeyondLengths::untouched),
        choice("unspecified", &Semantics::beyond_lengths, BeyondLengths::unspecified)}},
  };
  return all;
}

}  // namespace

std::string to_string(const Semantics& semantics) {
  std::string text;
  for (const Field& field : fields()) {
    for (const Choice& candidate : field.choices) {
      if (!candidate.holds(semantics)) continue;
      text +=
          (text.empty() ? "" : ";") + std::string(field.key) + "=" + std::string(candidate.text);
    }
  }
  return text;
}

Semantics parse_semantics(std::string_view text) {
  Semantics semantics;
  const auto entries = split_key_values(kWhat, text);
  refuse_repeated_keys(kWhat, entries);
  for (const KeyValue& entry : entries) {
    std::vector<std::string_view> known;
    const Field* field = nullptr;
    for (const Field& candidate : fields()) {
      known.push_back(candidate.key);
      if (candidate.key == entry.key) field = &candidate;
    }
    if (field == nullptr) fail_at(kWhat, entry.key_offset, unknown_name("key", entry.key, known));
    known.clear();
    const Choice* chosen = nullptr;
    for (const Choice& candidate : field->choices) {
      known.push_back(candidate.text);
      if (candidate.text == entry.value) chosen = &candidate;
    }
    if (chosen == nullptr) {
      fail_at(kWhat, entry.value_offset,
              unknown_name("value of " + std::string(entry.key), entry.value, known));
    }
    chosen->put(semantics);
  }
  return semantics;
}

}  // namespace attest
