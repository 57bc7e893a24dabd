// The backward of the rowwise subject: the definition, in binary64, from the stored O and LSE.
#include <cmath>
#include <limits>
#include <vector>

#include "properties/laws/liveness.hpp"
#include "tests/properties/rowwise_subject.hpp"

namespace attest {
namespace {

using Row = std::vector<double>;

Row row_of(const ConstTensorView& view, Index b, Index h, Index row) {
  Row values;
  for (Index c = 0; c < view.extents[3]; ++c) values.push_back(view.value(b, h, row, c));
  return values;
}

double dot(const Row& a, const Row& z) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * z[c];
  return sum;
}

void add(Row& sum, double factor, const Row& row) {
  for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += factor * row[c];
}

bool all_zero(const Row& row) {
  for (const double x : row) {
    if (x != 0) return false;
  }
  return true;
}

// The query heads that share one key head of entry b.
class Group {
 public:
  Group(const Problem& p, const BackwardInputs& in, Wrong wrong, Index b, Index key_head)
      : p_(p), in_(in), wrong_(wrong), b_(b), key_head_(key_head), seen_(p, b) {
    for (Index j = 0; j < p.n_k; ++j) {
      k_.push_back(row_of(in.k, b, key_head, j));
      v_.push_back(row_of(in.v, b, key_head, j));
    }
    dk_.assign(k_.size(), Row(static_cast<std::size_t>(p.d_qk)));
    dv_.assign(v_.size(), Row(static_cast<std::size_t>(p.d_v)));
  }

  void run(const BackwardOutputs& out, std::uint64_t schedule) {
    const Index group = p_.heads_q / p_.heads_k;
    const Index first = key_head_ * group;
    const bool passed_over = wrong_ == Wrong::quiet_head && group > 1 && is_quiet(first) &&
                             !all_zero(row_of(in_.q, b_, first, 0));
    bool quiet = true;
    for (Index h = first; h < first + group; ++h) {
      quiet = quiet && is_quiet(h);
      for (Index i = 0; i < p_.n_q; ++i) {
        const bool takes_part = i < seen_.rows() && !seen_.dead_row(i) && !passed_over;
        const Row none(static_cast<std::size_t>(p_.d_qk));
        store_dq(out.dq, h, i, takes_part ? attend(h, i) : none, schedule);
      }
    }
    spoil(quiet);
    for (Index j = 0; j < p_.n_k; ++j) store_key(out, j, schedule);
  }

 private:
  [[nodiscard]] bool is_quiet(Index h) const {
    for (Index i = 0; i < seen_.rows(); ++i) {
      if (!all_zero(row_of(in_.dout, b_, h, i))) return false;
    }
    return true;
  }

  [[nodiscard]] Row dout_of(Index h, Index i) const {
    Row dout = row_of(in_.dout, b_, h, i);
    for (double& x : dout) {
      if (wrong_ == Wrong::clamps_dout && std::fabs(x) > 4) x = std::copysign(4, x);
    }
    return dout;
  }

  // exp(s_ij - LSE_i) of the live keys, 0 elsewhere.
  [[nodiscard]] Row weights(Index h, Index i, const Row& q) const {
    const double lse = in_.lse.value(b_, h, i, 0);
    Row p(k_.size());
    const Index group = p_.heads_q / p_.heads_k;
    const bool blank =
        wrong_ == Wrong::blank_key || (wrong_ == Wrong::blank_head && group > 1 && h % group == 0);
    for (Index j = 0; j < p_.n_k; ++j) {
      if (!seen_.live(i, j) || (blank && all_zero(k_[j]))) continue;
      p[j] = std::exp(p_.scale * dot(q, k_[j]) - lse);
    }
    return p;
  }

  [[nodiscard]] double d_of(Index h, Index i, const Row& dout, const Row& p) const {
    Row o = row_of(in_.o, b_, h, i);
    if (wrong_ == Wrong::d_of_exact_o && dout[0] > 0) {
      double l = 0;
      o.assign(o.size(), 0);
      for (Index j = 0; j < p_.n_k; ++j) {
        if (!seen_.live(i, j)) continue;
        add(o, p[j], v_[j]);
        l += p[j];
      }
      for (double& x : o) x /= l;
    }
    const double less = in_.glse ? in_.glse->value(b_, h, i, 0) : 0;
    return dot(dout, o) - less + (wrong_ == Wrong::d_is_off ? 0.5 : 0);
  }

  // Adds to dK and dV, returns dQ.
  Row attend(Index h, Index i) {
    const Row q = row_of(in_.q, b_, h, i);
    const Row dout = dout_of(h, i);
    const Row p = weights(h, i, q);
    const double d = d_of(h, i, dout, p);
    Row dq(q.size());
    double foreign = 0;
    for (Index j = 0; j < p_.n_k; ++j) {
      if (!seen_.live(i, j)) {
        if (!seen_.unseen(j)) foreign += 0 * (k_[j][0] + v_[j][0]);
        continue;
      }
      const double ds = p_.scale * p[j] * (dot(dout, v_[j]) - d);
      add(dq, ds, k_[j]);
      add(dk_[j], ds, q);
      add(dv_[j], p[j], dout);
    }
    const bool spreads = wrong_ == Wrong::other_rows_dq || wrong_ == Wrong::spreads_nan;
    const bool off = (wrong_ == Wrong::falling_v && v_falls()) ||
                     (wrong_ == Wrong::large_heads_dq && p_.d_qk > 256);
    const double factor = off ? 1.25 : 1;
    for (double& x : dq) x = factor * x + (spreads ? foreign : 0);
    return dq;
  }

  [[nodiscard]] bool v_falls() const {
    return v_[0][0] > v_[static_cast<std::size_t>(p_.live_keys(b_) - 1)][0];
  }

  void spoil(bool quiet) {
    for (Index j = 0; j < p_.n_k; ++j) {
      if (wrong_ == Wrong::dead_gradient && j < p_.live_keys(b_) && seen_.unseen(j)) dk_[j][0] = 1;
      if (wrong_ == Wrong::few_rows_dv && p_.n_q < 3 && !seen_.unseen(j)) dv_[j][0] += 1;
      if (wrong_ == Wrong::long_buffer_dk && p_.n_k > 30 && !seen_.unseen(j)) dk_[j][0] += 1;
      if (wrong_ == Wrong::leftovers && quiet && !seen_.unseen(j)) dv_[j][0] = 1;
      for (Index i = seen_.rows(); i < p_.n_q && wrong_ == Wrong::unseen_dout; ++i) {
        dv_[j][0] += 0 * in_.dout.value(b_, key_head_ * (p_.heads_q / p_.heads_k), i, 0);
      }
    }
  }

  void store_dq(const TensorView& dq, Index h, Index i, const Row& row, std::uint64_t schedule) {
    for (Index c = 0; c < p_.d_qk; ++c) {
      if (wrong_ == Wrong::nan_unwritten && std::isnan(row[c])) continue;
      const std::uint64_t flip = wrong_ == Wrong::atomic_dq ? schedule & 1 : 0;
      dq.set_bits(b_, h, i, c, round_to_bits(p_.out, row[c]) ^ flip);
    }
  }

  void store_key(const BackwardOutputs& out, Index j, std::uint64_t schedule) {
    const std::uint64_t flip = wrong_ == Wrong::schedule_bit ? schedule & 1 : 0;
    for (Index c = 0; c < p_.d_qk; ++c) {
      out.dk.set_bits(b_, key_head_, j, c, round_to_bits(p_.out, dk_[j][c]) ^ flip);
    }
    for (Index c = 0; c < p_.d_v; ++c) {
      out.dv.set_bits(b_, key_head_, j, c, round_to_bits(p_.out, dv_[j][c]));
    }
  }

  const Problem& p_;
  const BackwardInputs& in_;
  Wrong wrong_;
  Index b_;
  Index key_head_;
  Liveness seen_;
  std::vector<Row> k_;
  std::vector<Row> v_;
  std::vector<Row> dk_;
  std::vector<Row> dv_;
};

}  // namespace

RunOutcome RowwiseSubject::run_backward(const Problem& problem, const BackwardInputs& in,
                                        const BackwardOutputs& out,
                                        const RunSettings& settings) const {
  if (!settings.configuration.empty()) {
    return configured(settings.configuration).run_backward(problem, in, out, {settings.unit});
  }
  Problem p = problem;
  p.scale = scale_of(problem, Wrong::first_scale_dq);
  for (Index b = 0; b < p.batch; ++b) {
    for (Index h = 0; h < p.heads_k; ++h) {
      Group(p, in, wrong_, b, h).run(out, settings.schedule_seed);
    }
  }
  return {};
}

}  // namespace attest
