#include "properties/covering/constraint.hpp"

#include <initializer_list>

namespace attest {
namespace {

// The value is one of these.
bool is(const Features& features, Parameter parameter, std::initializer_list<int> values) {
  for (const int value : values) {
    if (features[parameter] == value) return true;
  }
  return false;
}

// The value is open or one of these.
bool may(const Features& features, Parameter parameter, std::initializer_list<int> values) {
  return features[parameter] == kOpen || is(features, parameter, values);
}

bool of_family(const Features& features, std::string_view name) {
  const int value = features[kFamilyDrawn];
  return value != kOpen && names_of(kFamilyDrawn).values[static_cast<std::size_t>(value)] == name;
}

// A family whose values do not matter is drawn all the same; it is F0 that has to bring them.
bool of_another_family(const Features& features) {
  return features[kFamilyDrawn] != kOpen && !of_family(features, "F0");
}

bool backward_families(Pass pass, const Features& f) {
  return pass == Pass::fwd && (of_family(f, "F8") || of_family(f, "F12") || of_family(f, "F13"));
}

bool gradient_of_lse(Pass pass, const Features& f) {
  return pass == Pass::fwd && is(f, kLseGradient, {1});
}

bool short_rows(Pass, const Features& f) {
  return is(f, kKeys, {kZero, kSingle}) && is(f, kReach, {1});
}

bool nothing_read(Pass, const Features& f) {
  return of_another_family(f) && (is(f, kQueries, {kZero}) || is(f, kKeys, {kZero}));
}

bool rising(Pass, const Features& f) { return of_family(f, "F3") && is(f, kKeys, {kSingle}); }

bool tails(Pass, const Features& f) { return of_family(f, "F21") && is(f, kKeys, {kSingle}); }

bool small_offsets(Pass, const Features& f) {
  return of_family(f, "F11") && is(f, kDim, {kSixteens, kWide});
}

bool powers_of_two(Pass, const Features& f) {
  return of_family(f, "F17") &&
         (is(f, kKeys, {kOneOver, kOneShort}) || (is(f, kKeys, {kBetween}) && is(f, kReach, {1})) ||
          is(f, kBand, {kCausalBand, kWindowBand, kOneSidedBand, kNegativeBand}) ||
          is(f, kLengths, {kKeyLengths, kBothLengths}));
}

// The roads of families/dead_rows.cpp, but for the one without keys, where nothing is read.
bool dead_roads(Pass, const Features& f) {
  if (!of_family(f, "F15")) return false;
  const bool negative = may(f, kBand, {kNegativeBand});
  const bool lengths = may(f, kBatch, {1}) && may(f, kLengths, {kBothLengths});
  const bool causal = may(f, kBand, {kCausalBand}) && may(f, kLengths, {kNoLengths});
  const bool one_query = causal && may(f, kAlignment, {0}) && may(f, kQueries, {kSingle});
  const bool more_queries = causal && may(f, kAlignment, {1}) && may(f, kReach, {0}) &&
                            may(f, kQueries, {kWhole, kOneOver, kOneShort, kBetween});
  return !(negative || lengths || one_query || more_queries);
}

constexpr Constraint kTable[] = {
    {"backward families",
     "F8, F12 and F13 are built for gradients: no forward case is drawn from them",
     backward_families},
    {"gradient of LSE", "a forward problem has no gradient of LSE: it is not well formed",
     gradient_of_lse},
    {"short rows", "no key or one is not more than 64", short_rows},
    {"nothing read",
     "without queries or without keys no value reaches an output: all families are F0",
     nothing_read},
    {"F3 keys", "maxima rise from tile to tile, so there are at least 34 keys", rising},
    {"F21 keys", "a tail follows at least half a tile of keys", tails},
    {"F11 d", "d stays up to 8, or the score's own budget would hide its faults", small_offsets},
    {"F17 rows", "weights are 2^-n only where a row sees all of 2^n keys, 256 at most",
     powers_of_two},
    {"F15 roads", "rows are dead by the band, by lengths, or because causal rows end too early",
     dead_roads},
};

}  // namespace

std::span<const Constraint> constraints() { return kTable; }

const Constraint* constraint_on(Pass pass, const Features& features) {
  for (const Constraint& constraint : kTable) {
    if (constraint.excludes(pass, features)) return &constraint;
  }
  return nullptr;
}

}  // namespace attest
