// gradient_operands.hpp - what the backward reads of one key head and of one query row, widened
// once to binary64, and which of it is not finite.
#pragma once

#include <optional>
#include <vector>

#include "oracle/enclose_backward.hpp"
#include "oracle/operands.hpp"

namespace attest {

// What stands among some numbers that is not finite.
struct Specials {
  bool nan = false;
  bool infinite = false;

  [[nodiscard]] bool any() const { return nan || infinite; }
  void add(double x);
};

// One row of dO or V with what makes its sums of magnitudes cheap.
struct Magnified {
  std::vector<double> floor;  // floor(x) of core/moments.hpp
  Index nonzero = 0;
  bool floored = false;  // does floor(x) differ from |x| anywhere?

  void add(Format format, double x);
};

// K and V of one batch entry and key head.
struct GradientHead {
  KeyHead keys;
  std::vector<Magnified> v;  // per key
  std::vector<Specials> k_specials;
  std::vector<Specials> v_specials;
  bool finite = true;  // are all of K and V?
};

// One query row. `o` and `lse` are what a subject stored; without that they stay empty.
struct GradientQuery {
  QueryRow query;
  std::vector<double> dout;  // [d_v]
  Magnified magnified;       // of dout
  double glse = 0;
  std::vector<double> o;
  double lse = 0;
  Specials q_specials;
  Specials dout_specials;
  Specials o_specials;

  // No gradient comes in, so none leaves: dO_i = 0 and gL_i = 0.
  [[nodiscard]] bool silent() const { return magnified.nonzero == 0 && glse == 0; }
};

[[nodiscard]] GradientHead read_gradient_head(const Problem& problem, const Inputs& inputs, Index b,
                                              Index h_k);
[[nodiscard]] GradientQuery read_gradient_query(const Problem& problem, const Inputs& inputs,
                                                const std::optional<StoredForward>& stored, Index b,
                                                Index h, Index i);

}  // namespace attest
