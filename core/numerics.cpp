#include "core/numerics.hpp"

#include <charconv>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/hex_float.hpp"
#include "core/key_values.hpp"

namespace attest {
namespace {

constexpr std::string_view kWhat = "numerics";
constexpr std::string_view kUnknown = "unknown";

// One key of the text: the values it knows, for a person; how its value is printed, and read
// (false: not a value of this key).
struct Field {
  std::string_view key;
  std::string values;
  std::function<std::string(const Numerics&)> print;
  std::function<bool(Numerics&, std::string_view)> read;
};

template <class Value>
struct Name {
  std::string_view text;
  Value value;
};

constexpr Name<bool> kYesNo[] = {{"yes", true}, {"no", false}};
constexpr Name<ConstantRounding> kConstantRoundings[] = {
    {"once", ConstantRounding::once}, {"log2e_first", ConstantRounding::log2e_first}};
constexpr Name<ScoreStore> kScoreStores[] = {{"none", ScoreStore::none},
                                             {"f32", ScoreStore::f32},
                                             {"f16", ScoreStore::f16},
                                             {"bf16", ScoreStore::bf16}};
constexpr Name<Exponent> kExponents[] = {{"difference_first", Exponent::difference_first},
                                         {"scaled_max", Exponent::scaled_max},
                                         {"product_first", Exponent::product_first},
                                         {"fused", Exponent::fused}};
constexpr Name<PNormalised> kPNormalised[] = {{"after", PNormalised::after_pv},
                                              {"before", PNormalised::before_pv}};
constexpr Name<TileOrder> kTileOrders[] = {{"ascending", TileOrder::ascending},
                                           {"any", TileOrder::any}};
constexpr Name<LFrom> kLFrom[] = {{"unrounded", LFrom::unrounded}, {"rounded", LFrom::rounded}};
constexpr Name<Divide> kDivides[] = {
    {"exact", Divide::exact}, {"reciprocal", Divide::reciprocal}, {"approx", Divide::approx}};
constexpr Name<Rounding> kRoundings[] = {{"nearest", Rounding::nearest_even},
                                         {"toward_zero", Rounding::toward_zero}};
constexpr Name<Format> kFormatNames[] = {
    {"f64", Format::f64}, {"f32", Format::f32}, {"f16", Format::f16}, {"bf16", Format::bf16}};

template <class Value>
Field named(std::string_view key, std::optional<Value> Numerics::*member,
            std::span<const Name<Value>> names) {
  std::string values;
  for (const auto& [text, value] : names) values += std::string(text) + ", ";
  return {key, values,
          [=](const Numerics& numerics) {
            for (const auto& [text, value] : names) {
              if (numerics.*member == value) return std::string(text);
            }
            return std::string(kUnknown);
          },
          [=](Numerics& numerics, std::string_view given) {
            for (const auto& [text, value] : names) {
              if (text == given) return numerics.*member = value, true;
            }
            return false;
          }};
}

std::optional<Index> positive_integer(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::optional<double> relative_error(std::string_view text) {
  const auto value = parse_number(text);
  if (!value || !(*value >= 0 && *value < 1)) return std::nullopt;
  return value;
}

template <class Value>
bool assign(std::optional<Value>& member, std::optional<Value> value) {
  if (value) member = value;
  return value.has_value();
}

Field unit_field() {
  std::string values;
  for (const Unit unit : kUnits) values += std::string(name_of(unit)) + ", ";
  return {"unit", values,
          [](const Numerics& n) { return std::string(n.unit ? name_of(*n.unit) : kUnknown); },
          [](Numerics& n, std::string_view text) { return assign(n.unit, unit_named(text)); }};
}

Field scale_field() {
  return {"scale_at", "scores, q:<format>, ",
          [](const Numerics& n) {
            if (!n.scale_at) return std::string(kUnknown);
            if (!n.scale_at->q) return std::string("scores");
            return "q:" + std::string(shape_of(*n.scale_at->q).name);
          },
          [](Numerics& n, std::string_view text) {
            if (text == "scores") return n.scale_at = ScaleAt{}, true;
            const auto format =
                text.substr(0, 2) == "q:" ? format_named(text.substr(2)) : std::optional<Format>{};
            if (format) n.scale_at = ScaleAt{format};
            return format.has_value();
          }};
}

Field exp2_field() {
  return {"exp2", "a number in [0, 1), ",
          [](const Numerics& n) { return n.exp2 ? to_hex(*n.exp2) : std::string(kUnknown); },
          [](Numerics& n, std::string_view text) { return assign(n.exp2, relative_error(text)); }};
}

Field l_chain_field() {
  return {"l_chain", "sequential, lanes:<count>, ",
          [](const Numerics& n) {
            if (!n.l_chain) return std::string(kUnknown);
            if (n.l_chain->lanes == 1) return std::string("sequential");
            return "lanes:" + std::to_string(n.l_chain->lanes);
          },
          [](Numerics& n, std::string_view text) {
            if (text == "sequential") return n.l_chain = LChain{}, true;
            const auto lanes = text.substr(0, 6) == "lanes:" ? positive_integer(text.substr(6))
                                                             : std::optional<Index>{};
            if (lanes) n.l_chain = LChain{*lanes};
            return lanes.has_value();
          }};
}

Field tile_field() {
  return {
      "tile_k", "a count, ",
      [](const Numerics& n) {
        return n.tile_k ? std::to_string(*n.tile_k) : std::string(kUnknown);
      },
      [](Numerics& n, std::string_view text) { return assign(n.tile_k, positive_integer(text)); }};
}

Field log_field() {
  return {"log", "approx, a number in [0, 1), ",
          [](const Numerics& n) {
            if (!n.log) return std::string(kUnknown);
            return n.log->approx ? std::string("approx") : to_hex(n.log->relative);
          },
          [](Numerics& n, std::string_view text) {
            if (text == "approx") return n.log = LogError{.approx = true}, true;
            const auto relative = relative_error(text);
            if (relative) n.log = LogError{false, *relative};
            return relative.has_value();
          }};
}

const std::vector<Field>& fields() {
  static const std::vector<Field> all = {
      unit_field(),
      scale_field(),
      named<ConstantRounding>("c", &Numerics::c, kConstantRoundings),
      named<ScoreStore>("s_store", &Numerics::s_store, kScoreStores),
      named<Exponent>("exponent", &Numerics::exponent, kExponents),
      exp2_field(),
      named<bool>("exp_ftz", &Numerics::exp_ftz, kYesNo),
      named<Format>("p_format", &Numerics::p_format, kFormatNames),
      named<bool>("p_truncated", &Numerics::p_truncated, kYesNo),
      named<PNormalised>("p_normalised", &Numerics::p_normalised, kPNormalised),
      named<LFrom>("l_from", &Numerics::l_from, kLFrom),
      l_chain_field(),
      tile_field(),
      named<TileOrder>("order", &Numerics::order, kTileOrders),
      named<Divide>("divide", &Numerics::divide, kDivides),
      named<Format>("o_format", &Numerics::o_format, kFormatNames),
      named<Rounding>("o_rounding", &Numerics::o_rounding, kRoundings),
      named<Format>("lse_format", &Numerics::lse_format, kFormatNames),
      log_field(),
      named<bool>("ftz", &Numerics::ftz, kYesNo),
      named<bool>("o_ftz", &Numerics::o_ftz, kYesNo),
  };
  return all;
}

}  // namespace

std::string to_string(const Numerics& numerics) {
  std::string text;
  for (const Field& field : fields()) {
    text += (text.empty() ? "" : ";") + std::string(field.key) + "=" + field.print(numerics);
  }
  return text;
}

Numerics parse_numerics(std::string_view text) {
  Numerics numerics;
  const auto entries = split_key_values(kWhat, text);
  refuse_repeated_keys(kWhat, entries);
  for (const KeyValue& entry : entries) {
    const Field* field = nullptr;
    std::vector<std::string_view> keys;
    for (const Field& candidate : fields()) {
      keys.push_back(candidate.key);
      if (candidate.key == entry.key) field = &candidate;
    }
    if (field == nullptr) fail_at(kWhat, entry.key_offset, unknown_name("key", entry.key, keys));
    if (entry.value != kUnknown && !field->read(numerics, entry.value)) {
      fail_at(kWhat, entry.value_offset,
              "'" + std::string(entry.value) + "' is no value of '" + std::string(entry.key) +
                  "'; known: " + field->values + std::string(kUnknown));
    }
  }
  return numerics;
}

}  // namespace attest
