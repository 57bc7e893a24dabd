#include "properties/covering/parameter.hpp"

#include <algorithm>
#include <vector>

#include "properties/family.hpp"

namespace attest {
namespace {

using Names = std::vector<std::string_view>;

const Names& family_names() {
  static const Names names = [] {
    Names all;
    for (const Family& family : families()) all.push_back(family.name);
    return all;
  }();
  return names;
}

const std::array<Names, kParameters>& value_names() {
  static const Names counts = {"none", "one", "whole tiles", "one over", "one short", "between"};
  static const std::array<Names, kParameters> names = {
      Names{"f16", "bf16"},
      Names{"as input", "f32"},
      family_names(),
      Names{"none", "causal", "window", "one-sided", "negative"},
      Names{"top-left", "bottom-right"},
      Names{"one", "several"},
      Names{"1", "2", "3", "4 or more"},
      Names{"none", "queries", "keys", "both"},
      counts,
      counts,
      Names{"up to 64 keys", "more than 64 keys"},
      Names{"not of 8", "8 mod 16", "of 16", "more than 64"},
      Names{"as d", "another"},
      Names{"no", "yes"}};
  return names;
}

BandKind band_of(const Problem& p) {
  if (p.left == kUnlimited && p.right == kUnlimited) return kNoBand;
  if (p.left < 0 || p.right < 0) return kNegativeBand;
  if (p.left == kUnlimited && p.right == 0) return kCausalBand;
  return p.left == kUnlimited || p.right == kUnlimited ? kOneSidedBand : kWindowBand;
}

Lengths lengths_of(const Problem& p) {
  if (p.lq.empty()) return p.lk.empty() ? kNoLengths : kKeyLengths;
  return p.lk.empty() ? kQueryLengths : kBothLengths;
}

Dim dim_class(Index d) {
  if (d > 64) return kWide;
  if (d % 16 == 0) return kSixteens;
  return d % 8 == 0 ? kEights : kRagged;
}

template <class T>
std::int8_t value(T of) {
  return static_cast<std::int8_t>(of);
}

std::int8_t value_of_group(const Problem& p) {
  const auto most = static_cast<Index>(value_names()[kGroup].size());
  return value(std::min(p.heads_q / p.heads_k, most) - 1);
}

}  // namespace

const ParameterNames& names_of(Parameter parameter) {
  static const auto table = [] {
    constexpr std::string_view kNames[] = {"input format",
                                           "output format",
                                           "family",
                                           "band",
                                           "alignment",
                                           "batch",
                                           "query heads a key head",
                                           "lengths",
                                           "queries",
                                           "keys",
                                           "reach",
                                           "d",
                                           "value d",
                                           "gradient of LSE"};
    std::array<ParameterNames, kParameters> all;
    for (std::size_t n = 0; n < all.size(); ++n) all[n] = {kNames[n], value_names()[n]};
    return all;
  }();
  return table[parameter];
}

Count count_class(Index count) {
  if (count < 2) return count == 0 ? kZero : kSingle;
  const Index over = count % 16;
  if (over == 0) return kWhole;
  if (over == 1) return kOneOver;
  return over == 15 ? kOneShort : kBetween;
}

Features features_of(const Problem& p) {
  Features of = all_open();
  if (p.in == Format::f16 || p.in == Format::bf16) of[kInput] = value(p.in == Format::bf16);
  if (p.out == p.in || p.out == Format::f32) of[kOutput] = value(p.out != p.in);
  of[kBand] = value(band_of(p));
  of[kAlignment] = value(p.align == Align::bottom_right);
  of[kBatch] = value(p.batch > 1);
  of[kGroup] = value_of_group(p);
  of[kLengths] = value(lengths_of(p));
  of[kQueries] = value(count_class(p.n_q));
  of[kKeys] = value(count_class(p.n_k));
  of[kReach] = value(p.n_k > kOneReach);
  of[kDim] = value(dim_class(p.d_qk));
  of[kValueDim] = value(p.d_v != p.d_qk);
  of[kLseGradient] = value(p.lse_gradient);
  return of;
}

Features features_of(const Case& c) {
  Features of = features_of(c.problem);
  if (const auto* drawn = std::get_if<FamilyData>(&c.data)) {
    const Names& names = family_names();
    const auto found = std::ranges::find(names, drawn->family);
    if (found != names.end()) of[kFamilyDrawn] = value(found - names.begin());
  }
  return of;
}

}  // namespace attest
