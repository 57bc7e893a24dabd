// family.hpp - named generators of values, each built to strain one term of a budget or to reach
// one class of fault.
//
// A name is fixed once it is published, since case strings and reports carry it; `attest list
// families` says what each one strains. A family is two pure functions: which problems it needs,
// and the value at each coordinate.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/case.hpp"

namespace attest {

struct Family {
  std::string_view name;     // F7
  std::string_view title;    // "all scores deeply negative"
  std::string_view targets;  // the budget term or fault class it is built to reach
  double least_o_ratio;      // a healthy soak reaches this error/budget on O, or the family is dead
  double least_lse_ratio;    // likewise LSE; 0: exempt, a ratio of 0 is right there
  // Changes a drawn problem so that the family can do its work (a dead first tile, one live key).
  Problem (*adapt)(Problem problem, std::uint64_t seed);
  // Fills q, k, v and, for pass=bwd, dO and gL. A value depends on the seed and its coordinates
  // only, never on the shape, so that shrinking the shape keeps the surviving values.
  void (*fill)(const Problem& problem, std::uint64_t seed, Inputs& inputs);
  // Do scores reach |s| = 256 or |q.k| = 65,520? There a 16-bit S no longer tells them apart (its
  // rounding changes weights by a factor of e), or cannot hold them.
  bool large_scores = false;
  // Floors like those above, of backward cases: on dQ, dK, dV from the stored O and LSE.
  double least_dq_ratio = 0;
  double least_dk_ratio = 0;
  double least_dv_ratio = 0;
  bool backward_only = false;  // built for gradients: forward cases are not drawn from it
  // How many times the usual work a drawn case may cost: of some families few elements are judged
  // for value, and each is to have its share (2 % of a tier's).
  Index work = 1;
  // Rows see a NaN, and so most laws say nothing, whatever the problem (laws/nonfinite.hpp).
  bool live_nan = false;
};

[[nodiscard]] std::span<const Family> families();

// Those that cases of this pass are drawn from, in the order of families().
[[nodiscard]] std::vector<const Family*> families_of(Pass pass);

// Throws Error (usage) listing the known names.
[[nodiscard]] const Family& family_named(std::string_view name);

}  // namespace attest
