#include "core/numerics_keys.hpp"

#include <charconv>
#include <optional>
#include <span>

#include "core/hex_float.hpp"

namespace attest {
namespace {

constexpr std::string_view kUnknown = kUnknownField;

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
constexpr Name<DotOrder> kDotOrders[] = {{"ascending", DotOrder::ascending},
                                         {"any", DotOrder::any}};
constexpr Name<LFrom> kLFrom[] = {{"unrounded", LFrom::unrounded}, {"rounded", LFrom::rounded}};
constexpr Name<Divide> kDivides[] = {
    {"exact", Divide::exact}, {"reciprocal", Divide::reciprocal}, {"approx", Divide::approx}};
constexpr Name<Rounding> kRoundings[] = {{"nearest", Rounding::nearest_even},
                                         {"toward_zero", Rounding::toward_zero}};
constexpr Name<Combine> kCombines[] = {{"divide", Combine::divide}, {"exp_lse", Combine::exp_lse}};
constexpr Name<DSource> kDSources[] = {
    {"stored_o", DSource::stored_o}, {"f32_o", DSource::f32_o}, {"p_dp", DSource::p_dp}};
constexpr Name<PInDs> kPInDs[] = {{"f32", PInDs::f32}, {"rounded", PInDs::rounded}};
constexpr Name<DqSum::Kind> kDqSums[] = {{"one_chain", DqSum::Kind::one_chain},
                                         {"ordered", DqSum::Kind::ordered},
                                         {"atomic", DqSum::Kind::atomic}};
// The formats that kernels are known to compute in; no budget is derived for others.
constexpr Name<Format> kFormatNames[] = {
    {"f64", Format::f64}, {"f32", Format::f32}, {"f16", Format::f16}, {"bf16", Format::bf16}};

template <class Value>
NumericsKey named(std::string_view key, std::optional<Value> Numerics::*member,
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

NumericsKey unit_field() {
  std::string values;
  for (const Unit unit : kUnits) values += std::string(name_of(unit)) + ", ";
  return {"unit", values,
          [](const Numerics& n) { return std::string(n.unit ? name_of(*n.unit) : kUnknown); },
          [](Numerics& n, std::string_view text) { return assign(n.unit, unit_named(text)); }};
}

NumericsKey exp2_field() {
  return {"exp2", "a number in [0, 1), ",
          [](const Numerics& n) { return n.exp2 ? to_hex(*n.exp2) : std::string(kUnknown); },
          [](Numerics& n, std::string_view text) { return assign(n.exp2, relative_error(text)); }};
}

NumericsKey count_field(std::string_view key, std::optional<Index> Numerics::*member) {
  return {key, "a count, ",
          [=](const Numerics& n) {
            return n.*member ? std::to_string(*(n.*member)) : std::string(kUnknown);
          },
          [=](Numerics& n, std::string_view text) {
            return assign(n.*member, positive_integer(text));
          }};
}

std::optional<Format> computed_format(std::string_view name) {
  for (const auto& [text, format] : kFormatNames) {
    if (text == name) return format;
  }
  return std::nullopt;
}

// "<plain>" alone, or "<word>:<rest>". `print` gives the rest, or nothing for the plain value;
// `read` the value of a rest, or nothing where it has none.
template <class Value, class Print, class Read>
NumericsKey plain_or(std::string_view key, std::string_view plain, const std::string& word,
                     const std::string& rest, std::optional<Value> Numerics::*member, Print print,
                     Read read) {
  const std::string head = word + ":";
  return {key, std::string(plain) + ", " + head + rest + ", ",
          [=](const Numerics& n) {
            if (!(n.*member)) return std::string(kUnknown);
            const std::optional<std::string> printed = print(*(n.*member));
            return printed ? head + *printed : std::string(plain);
          },
          [=](Numerics& n, std::string_view text) {
            if (text == plain) return n.*member = Value{}, true;
            if (!text.starts_with(head)) return false;
            return assign(n.*member, read(text.substr(head.size())));
          }};
}

template <class Value>
NumericsKey format_or_plain(std::string_view key, std::string_view plain, const std::string& word,
                            std::optional<Value> Numerics::*member,
                            std::optional<Format> Value::*format) {
  return plain_or(
      key, plain, word, "<format>", member,
      [=](const Value& value) {
        const std::optional<Format>& chosen = value.*format;
        return chosen ? std::optional(std::string(shape_of(*chosen).name)) : std::nullopt;
      },
      [](std::string_view text) {
        const auto chosen = computed_format(text);
        return chosen ? std::optional(Value{chosen}) : std::nullopt;
      });
}

NumericsKey l_chain_field() {
  return plain_or(
      "l_chain", "sequential", "lanes", "<count>", &Numerics::l_chain,
      [](const LChain& chain) {
        return chain.lanes == 1 ? std::nullopt : std::optional(std::to_string(chain.lanes));
      },
      [](std::string_view text) {
        const auto lanes = positive_integer(text);
        return lanes ? std::optional(LChain{*lanes}) : std::nullopt;
      });
}

NumericsKey max_field() {
  return plain_or(
      "max", "running", "lazy", "<powers of two, above 0, up to 14>", &Numerics::max,
      [](const RowMax& max) {
        return max.lag == 0 ? std::nullopt : std::optional(to_hex(max.lag));
      },
      [](std::string_view text) {
        const auto lag = parse_number(text);
        const bool known = lag && *lag > 0 && *lag <= kMostLag;
        return known ? std::optional(RowMax{*lag}) : std::nullopt;
      });
}

NumericsKey dq_sum_field() {
  return {"dq_sum", "one_chain:<keys>, ordered:<keys>, atomic:<keys>, ",
          [](const Numerics& n) {
            if (!n.dq_sum) return std::string(kUnknown);
            for (const auto& [text, kind] : kDqSums) {
              if (n.dq_sum->kind == kind) {
                return std::string(text) + ":" + std::to_string(n.dq_sum->tile);
              }
            }
            return std::string(kUnknown);
          },
          [](Numerics& n, std::string_view given) {
            for (const auto& [text, kind] : kDqSums) {
              const std::string head = std::string(text) + ":";
              if (given.substr(0, head.size()) != head) continue;
              const auto tile = positive_integer(given.substr(head.size()));
              if (tile) n.dq_sum = DqSum{kind, *tile};
              return tile.has_value();
            }
            return false;
          }};
}

NumericsKey log_field() {
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

}  // namespace

const std::vector<NumericsKey>& numerics_key_table() {
  static const std::vector<NumericsKey> all = {
      unit_field(),
      format_or_plain("scale_at", "scores", "q", &Numerics::scale_at, &ScaleAt::q),
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
      count_field("tile_k", &Numerics::tile_k),
      named<TileOrder>("order", &Numerics::order, kTileOrders),
      max_field(),
      named<Divide>("divide", &Numerics::divide, kDivides),
      named<Format>("o_format", &Numerics::o_format, kFormatNames),
      named<Rounding>("o_rounding", &Numerics::o_rounding, kRoundings),
      named<Format>("lse_format", &Numerics::lse_format, kFormatNames),
      log_field(),
      named<bool>("ftz", &Numerics::ftz, kYesNo),
      named<bool>("o_ftz", &Numerics::o_ftz, kYesNo),
      format_or_plain("split", "none", "normalised", &Numerics::split, &SplitKeys::partial),
      count_field("part_k", &Numerics::part_k),
      named<Combine>("combine", &Numerics::combine, kCombines),
      named<DSource>("d_source", &Numerics::d_source, kDSources),
      named<PInDs>("p_in_ds", &Numerics::p_in_ds, kPInDs),
      named<Format>("ds_format", &Numerics::ds_format, kFormatNames),
      dq_sum_field(),
      count_field("tile_q", &Numerics::tile_q),
      format_or_plain("group_sum", "one_chain", "per_head", &Numerics::group_sum,
                      &GroupSum::per_head),
      named<DotOrder>("dot_order", &Numerics::dot_order, kDotOrders),
  };
  return all;
}

}  // namespace attest
