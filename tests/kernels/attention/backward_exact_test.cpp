// Goal: gradients are those of the definition, bit for bit, on data where no step of the kernels
// has anything to round, over all shapes; and nothing that no pair touches has a part in them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/attention/backward_shapes.hpp"
#include "tests/kernels/attention/reported_backward.hpp"
#include "tests/kernels/pairwise_softmax.hpp"

namespace attest::backward_exact_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A case whose stored O and LSE are chosen, and the exponent of two of each weight with them.
struct ExactCase {
  Problem p;
  Inputs inputs;
  Result forward;
};

double integer(std::uint64_t seed, std::uint32_t tensor, Index b, Index h, Index row, Index column,
               int least, int most) {
  const auto at = [](Index x) { return static_cast<std::uint32_t>(x); };
  const double u = uniform(seed, {tensor, at(b), at(h), at(row), at(column)});
  return least + std::floor(u * (most - least + 1));
}

void fill_integers(Tensor& tensor, std::uint64_t seed, std::uint32_t id, int most) {
  for_each(tensor.extents(), [&](Index b, Index h, Index row, Index column) {
    set(tensor, b, h, row, column, integer(seed, id, b, h, row, column, -most, most));
  });
}

// dO is sparse, so that dP - D is a small integer; weights are powers of two; so all products and
// sums are exact in every format and on every unit.
ExactCase exact_case(const Problem& p, std::uint64_t seed) {
  ExactCase c{
      p, zero_inputs(p), {Tensor(p.out, p.o_extents()), Tensor(Format::f32, p.lse_extents())}};
  fill_integers(c.inputs.v, seed, 2, 2);
  fill_integers(c.forward.o, seed, 3, 2);
  if (p.lse_gradient) fill_integers(c.inputs.glse, seed, 4, 3);
  for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
    for (const Index column : {Index{0}, p.d_v / 2, p.d_v - 1}) {
      set(c.inputs.dout, b, h, i, column, integer(seed, 5, b, h, i, column, -1, 1));
    }
  });
  return c;
}

// x_ij = a_i, and lse_i = scale a_i: every weight is exp(0).
ExactCase with_weights_of_one(Problem p, std::uint64_t seed) {
  ExactCase c = exact_case(p, seed);
  fill_integers(c.inputs.q, seed, 0, 2);
  fill_integers(c.inputs.k, seed, 1, 2);
  for_each(p.q_extents(), [&](Index b, Index h, Index i, Index column) {
    if (column % 2 == 1) set(c.inputs.q, b, h, i, column, 0);
  });
  for_each(p.k_extents(), [&](Index b, Index h, Index j, Index column) {
    if (column % 2 == 0) set(c.inputs.k, b, h, j, column, column == 0 ? 1 : 0);
  });
  for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
    set(c.forward.lse, b, h, i, 0, c.inputs.q.view().value(b, h, i, 0) * p.scale);
  });
  return c;
}

// scale log2(e) rounds to 1 and ln2 log2(e), too: the fused exponent is x_ij - n_i, an integer.
ExactCase with_powers_of_two(Problem p, std::uint64_t seed) {
  p.scale = 0.693147181f;
  ExactCase c = exact_case(p, seed);
  fill_integers(c.inputs.k, seed, 1, 1);
  for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
    for (const Index column : {i % p.d_qk, p.d_qk - 1}) {
      set(c.inputs.q, b, h, i, column, integer(seed, 0, b, h, i, column, -1, 1));
    }
    const double n = std::ldexp(1.0, static_cast<int>(i % 3)) - 1;  // 0, 1 or 3
    set(c.forward.lse, b, h, i, 0, (n == 3 ? 2 : n) * p.scale);
  });
  return c;
}

// NaN wherever no pair looks: rows and keys beyond lengths, dead rows, keys that no row sees.
void poison_what_no_pair_touches(ExactCase& c) {
  const Problem& p = c.p;
  const auto poison_row = [](Tensor& tensor, Index b, Index h, Index row) {
    for (Index column = 0; column < tensor.extents()[3]; ++column) {
      set(tensor, b, h, row, column, kNan);
    }
  };
  for_each({p.batch, std::max(p.heads_q, p.heads_k), std::max(p.n_q, p.n_k), 1},
           [&](Index b, Index h, Index row, Index) {
             bool row_sees = false, key_is_seen = false;
             for (Index j = 0; j < p.n_k; ++j) row_sees = row_sees || pair_is_live(p, b, row, j);
             for (Index i = 0; i < p.n_q; ++i) {
               key_is_seen = key_is_seen || pair_is_live(p, b, i, row);
             }
             if (!row_sees && h < p.heads_q && row < p.n_q) {
               for (Tensor* each : {&c.inputs.q, &c.inputs.dout, &c.forward.o, &c.forward.lse}) {
                 poison_row(*each, b, h, row);
               }
               if (p.lse_gradient) poison_row(c.inputs.glse, b, h, row);
             }
             if (!key_is_seen && h < p.heads_k && row < p.n_k) {
               poison_row(c.inputs.k, b, h, row);
               poison_row(c.inputs.v, b, h, row);
             }
           });
}

struct Sums {
  explicit Sums(const Extents& extents_in)
      : extents(extents_in), value(static_cast<std::size_t>(volume(extents_in))) {}
  double& at(Index b, Index h, Index row, Index column) {
    return value[static_cast<std::size_t>(((b * extents[1] + h) * extents[2] + row) * extents[3] +
                                          column)];
  }
  Extents extents;
  std::vector<double> value;
};

struct ExactGradients {
  Sums dq, dk, dv;  // dq and dk before the scale
};

// Of one row of each.
double dot(const ConstTensorView& x, Index head_x, Index row_x, const ConstTensorView& y,
           Index head_y, Index row_y, Index b) {
  double sum = 0;
  for (Index c = 0; c < x.extents[3]; ++c) {
    sum += x.value(b, head_x, row_x, c) * y.value(b, head_y, row_y, c);
  }
  return sum;
}

ExactGradients gradients_of(const ExactCase& c) {
  const Problem& p = c.p;
  const auto q = c.inputs.q.view(), k = c.inputs.k.view(), v = c.inputs.v.view(),
             dout = c.inputs.dout.view(), o = c.forward.o.view();
  ExactGradients sums{Sums(p.q_extents()), Sums(p.k_extents()), Sums(p.v_extents())};
  Sums row_dot(p.lse_extents());
  for_each(p.lse_extents(), [&](Index b, Index h, Index i, Index) {
    const double g = p.lse_gradient ? c.inputs.glse.view().value(b, h, i, 0) : 0;
    row_dot.at(b, h, i, 0) = dot(dout, h, i, o, h, i, b) - g;
  });
  for_each({p.batch, p.heads_q, p.n_q, p.n_k}, [&](Index b, Index h, Index i, Index j) {
    if (!pair_is_live(p, b, i, j)) return;
    const Index kv = h / (p.heads_q / p.heads_k);
    const double lse = c.forward.lse.view().value(b, h, i, 0);
    const double weight =
        std::exp2(std::round((dot(q, h, i, k, kv, j, b) * p.scale - lse) / std::log(2.0)));
    const double ds = weight * (dot(dout, h, i, v, kv, j, b) - row_dot.at(b, h, i, 0));
    for (Index column = 0; column < p.d_qk; ++column) {
      sums.dq.at(b, h, i, column) += ds * k.value(b, kv, j, column);
      sums.dk.at(b, kv, j, column) += ds * q.value(b, h, i, column);
    }
    for (Index column = 0; column < p.d_v; ++column) {
      sums.dv.at(b, kv, j, column) += weight * dout.value(b, h, i, column);
    }
  });
  return sums;
}

void expect_equal(const Tensor& observed, Sums& sums, float factor, const std::string& what) {
  int different = 0;
  for_each(observed.extents(), [&](Index b, Index h, Index row, Index column) {
    const float due = static_cast<float>(sums.at(b, h, row, column)) * factor;
    const double rounded =
        widen_bits(observed.format(), round_to_bits(observed.format(), double{due}));
    if (!(observed.view().value(b, h, row, column) == rounded) && different++ == 0) {
      ADD_FAILURE() << what << " [" << b << ' ' << h << ' ' << row << ' ' << column << "] is "
                    << observed.view().value(b, h, row, column) << ", due " << rounded;
    }
  });
}

void expect_exact(const std::string& name, ExactCase c, Unit unit) {
  ExactGradients due = gradients_of(c);
  poison_what_no_pair_touches(c);
  const auto run = run_reported(backward_of(name), c.p, c.inputs, c.forward, emulation_of(unit));
  const std::string what = name + ' ' + to_string(c.p);
  EXPECT_TRUE(run.report.clean()) << what << '\n' << findings_of(run.report);
  expect_equal(run.result.dq, due.dq, c.p.scale, "dq " + what);
  expect_equal(run.result.dk, due.dk, c.p.scale, "dk " + what);
  expect_equal(run.result.dv, due.dv, 1.0f, "dv " + what);
}

TEST(BackwardExact, IsTheDefinitionWhereEveryWeightIsOne) {
  for (const Problem& p : backward_shapes()) {
    expect_exact("tiled", with_weights_of_one(p, 1), Unit::h100);
    expect_exact("variant/tiled-atomic-dq", with_weights_of_one(p, 2), Unit::fp32_seq);
  }
}

TEST(BackwardExact, IsTheDefinitionWhereWeightsArePowersOfTwo) {
  for (const Problem& p : backward_shapes()) {
    expect_exact("variant/tiled-fused", with_powers_of_two(p, 3), Unit::v100);
  }
}

}  // namespace
}  // namespace attest::backward_exact_test
