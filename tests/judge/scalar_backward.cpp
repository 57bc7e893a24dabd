#include "tests/judge/scalar_backward.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/judge/scalar_unit.hpp"

namespace attest {
namespace {

using Row = Operands;

class Backward {
 public:
  Backward(const Problem& p, const Inputs& in, const ForwardResult& forward, const Numerics& how,
           Exp2Error exp2_error)
      : p_(p), in_(in), forward_(forward), how_(how), exp2_error_(exp2_error) {
    grads_ = {Tensor(p.out, p.q_extents()), Tensor(p.out, p.k_extents()),
              Tensor(p.out, p.v_extents())};
    c_ = *how.c == ConstantRounding::once
             ? static_cast<float>(static_cast<double>(p.scale) * 1.4426950408889634)
             : p.scale * kLog2e;
  }

  ScalarGradients run() {
    for (Index b = 0; b < p_.batch; ++b) {
      for (Index kh = 0; kh < p_.heads_k; ++kh) run_group(b, kh);
    }
    return std::move(grads_);
  }

 private:
  static constexpr float kLog2e = 1.44269504F;

  struct Head {
    std::vector<Row> q;  // as dK meets it
    std::vector<Row> dout;
    std::vector<Row> p;   // [row][key], as dV meets it
    std::vector<Row> ds;  // as dQ and dK meet it
  };

  [[nodiscard]] float fl(float x) const {
    return *how_.ftz && std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x;
  }
  [[nodiscard]] bool is_live(Index b, Index i, Index j) const {
    const Index lq = p_.live_queries(b);
    const Index lk = p_.live_keys(b);
    const Index off = p_.align == Align::bottom_right ? lk - lq : 0;
    if (i >= lq || j >= lk) return false;
    const bool left = p_.left == kUnlimited || j >= i + off - p_.left;
    return left && (p_.right == kUnlimited || j <= i + off + p_.right);
  }
  static Row row_of(const Tensor& t, Index b, Index h, Index row) {
    Row values;
    for (Index c = 0; c < t.extents()[3]; ++c) values.push_back(t.view().value(b, h, row, c));
    return values;
  }
  [[nodiscard]] Accumulator accumulator() const { return {*how_.unit, p_.in, *how_.ftz}; }
  [[nodiscard]] float dot(const Row& x, const Row& y) const {
    Accumulator a = accumulator();
    a.add(x, y);
    return a.value();
  }

  float exp2(float z) {
    const double exact = std::exp2(static_cast<double>(z));
    const double spare = std::max(0.0, *how_.exp2 - 0x1p-24);
    const bool odd = ((++calls_ * 2654435761U) >> 13) % 2 == 1;
    double off = 0;
    if (exp2_error_ == Exp2Error::up || (exp2_error_ == Exp2Error::mixed && odd)) off = spare;
    if (exp2_error_ == Exp2Error::down || (exp2_error_ == Exp2Error::mixed && !odd)) off = -spare;
    const auto rounded = static_cast<float>(exact * (1 + off));
    return *how_.exp_ftz && rounded < 0x1p-126F ? 0 : rounded;
  }

  float weight(float x, float lse) {
    const float sigma = p_.scale;
    switch (*how_.exponent) {
      case Exponent::difference_first: {
        const float s = how_.scale_at->q ? x : fl(x * sigma);
        return exp2(fl(fl(s - lse) * kLog2e));
      }
      case Exponent::scaled_max:
      case Exponent::product_first: return exp2(fl(fl(x * constant()) - fl(lse * kLog2e)));
      case Exponent::fused: return exp2(fl(std::fma(x, constant(), -fl(lse * kLog2e))));
    }
    return 0;
  }
  [[nodiscard]] float constant() const { return how_.scale_at->q ? kLog2e : c_; }

  [[nodiscard]] float stored_score(float x) const {
    const ScoreStore store = *how_.s_store;
    if (store == ScoreStore::none || store == ScoreStore::f32) return x;
    const Format format = store == ScoreStore::f16 ? Format::f16 : Format::bf16;
    return static_cast<float>(round_to_format(format, x));
  }
  [[nodiscard]] double rounded_p(float p) const {
    const auto rounding = *how_.p_truncated ? Rounding::toward_zero : Rounding::nearest_even;
    return round_to_format(*how_.p_format, p, rounding);
  }

  [[nodiscard]] float output_chain(const Row& dout, const Row& o) const {
    float d = 0;
    for (std::size_t k = 0; k < o.size(); ++k) {
      d = fl(std::fma(static_cast<float>(dout[k]), static_cast<float>(o[k]), d));
    }
    return d;
  }

  void run_row(Index b, Index h, Index i, Head& head) {
    const Index kh = h * p_.heads_k / p_.heads_q;
    const Row q = row_of(in_.q, b, h, i);
    const Row dout = row_of(in_.dout, b, h, i);
    Row scaled = q;
    if (how_.scale_at->q) {
      for (double& x : scaled) {
        x = round_to_format(*how_.scale_at->q, fl(static_cast<float>(x) * p_.scale));
      }
    }
    const auto lse = static_cast<float>(forward_.lse.view().value(b, h, i, 0));
    std::vector<float> p(static_cast<std::size_t>(p_.n_k), 0);
    std::vector<float> dp(p.size(), 0);
    float d = 0;
    for (Index j = 0; j < p_.n_k; ++j) {
      if (!is_live(b, i, j)) continue;
      const auto n = static_cast<std::size_t>(j);
      p[n] = weight(stored_score(dot(scaled, row_of(in_.k, b, kh, j))), lse);
      dp[n] = dot(dout, row_of(in_.v, b, kh, j));
      if (*how_.d_source == DSource::p_dp) d = fl(std::fma(p[n], dp[n], d));
    }
    if (*how_.d_source == DSource::stored_o) d = output_chain(dout, row_of(forward_.o, b, h, i));
    if (*how_.d_source == DSource::f32_o) d = output_chain(dout, row_of(forward_.f32_o, b, h, i));
    if (p_.lse_gradient) d = fl(d - static_cast<float>(in_.glse.view().value(b, h, i, 0)));
    Row weights(p.size(), 0);
    Row ds(p.size(), 0);
    for (Index j = 0; j < p_.n_k; ++j) {
      if (!is_live(b, i, j)) continue;
      const auto n = static_cast<std::size_t>(j);
      weights[n] = rounded_p(p[n]);
      const auto in_ds = *how_.p_in_ds == PInDs::rounded ? static_cast<float>(weights[n]) : p[n];
      ds[n] = round_to_format(*how_.ds_format, fl(in_ds * fl(dp[n] - d)));
    }
    head.q.push_back(scaled);
    head.dout.push_back(dout);
    head.p.push_back(weights);
    head.ds.push_back(ds);
  }

  void store(Tensor& tensor, Index b, Index h, Index row, Index c, float x) const {
    const double stored = round_to_format(*how_.o_format, x, *how_.o_rounding);
    tensor.view().set_bits(b, h, row, c, round_to_bits(tensor.format(), stored));
  }

  // dQ of one row: dS times the columns of K, tile by tile.
  void store_dq(Index b, Index h, Index i, const Row& ds, const std::vector<Row>& keys) {
    const DqSum how = *how_.dq_sum;
    for (Index c = 0; c < p_.d_qk; ++c) {
      Accumulator chain = accumulator();
      std::vector<float> tiles;
      for (Index first = 0; first < p_.n_k; first += how.tile) {
        Row x;
        Row y;
        for (Index j = first; j < std::min(p_.n_k, first + how.tile); ++j) {
          x.push_back(ds[static_cast<std::size_t>(j)]);
          y.push_back(keys[static_cast<std::size_t>(j)][static_cast<std::size_t>(c)]);
        }
        Accumulator tile = accumulator();
        tile.add(x, y);
        tiles.push_back(tile.value());
        chain.add(x, y);
      }
      if (how.kind == DqSum::Kind::atomic) std::ranges::reverse(tiles);
      float sum = 0;
      for (const float tile : tiles) sum = fl(sum + tile);
      if (how.kind == DqSum::Kind::one_chain) sum = chain.value();
      store(grads_.dq, b, h, i, c, fl(sum * p_.scale));
    }
  }

  // One column of one key's dK or dV: factor(head, row) times x(head, row), head after head.
  using Factor = std::function<double(const Head&, std::size_t)>;
  float key_sum(const std::vector<Head>& heads, const Factor& factor, const Factor& x,
                float scale) const {
    const auto finish = [&](const Accumulator& a) { return fl(a.value() * scale); };
    Accumulator chain = accumulator();
    float sum = 0;
    for (const Head& head : heads) {
      Accumulator own = accumulator();
      for (std::size_t first = 0; first < head.q.size();) {
        Row a;
        Row b;
        const auto tile = static_cast<std::size_t>(*how_.tile_q);
        for (const std::size_t last = std::min(head.q.size(), first + tile); first < last;
             ++first) {
          a.push_back(factor(head, first));
          b.push_back(x(head, first));
        }
        own.add(a, b);
        chain.add(a, b);
      }
      if (how_.group_sum->per_head) {
        sum = fl(sum + static_cast<float>(round_to_format(*how_.group_sum->per_head, finish(own))));
      }
    }
    return how_.group_sum->per_head ? sum : finish(chain);
  }

  void run_group(Index b, Index kh) {
    const Index group = p_.heads_q / p_.heads_k;
    std::vector<Row> keys;
    for (Index j = 0; j < p_.n_k; ++j) keys.push_back(row_of(in_.k, b, kh, j));
    std::vector<Head> heads(static_cast<std::size_t>(group));
    for (Index g = 0; g < group; ++g) {
      const Index h = kh * group + g;
      Head& head = heads[static_cast<std::size_t>(g)];
      for (Index i = 0; i < p_.n_q; ++i) {
        run_row(b, h, i, head);
        store_dq(b, h, i, head.ds.back(), keys);
      }
    }
    for (Index j = 0; j < p_.n_k; ++j) {
      const auto key = static_cast<std::size_t>(j);
      const Factor ds = [key](const Head& head, std::size_t i) { return head.ds[i][key]; };
      const Factor p = [key](const Head& head, std::size_t i) { return head.p[i][key]; };
      for (Index c = 0; c < p_.d_qk; ++c) {
        const Factor q = [c](const Head& head, std::size_t i) {
          return head.q[i][static_cast<std::size_t>(c)];
        };
        store(grads_.dk, b, kh, j, c, key_sum(heads, ds, q, how_.scale_at->q ? 1 : p_.scale));
      }
      for (Index c = 0; c < p_.d_v; ++c) {
        const Factor dout = [c](const Head& head, std::size_t i) {
          return head.dout[i][static_cast<std::size_t>(c)];
        };
        store(grads_.dv, b, kh, j, c, key_sum(heads, p, dout, 1));
      }
    }
  }

  const Problem& p_;
  const Inputs& in_;
  const ForwardResult& forward_;
  const Numerics& how_;
  Exp2Error exp2_error_;
  ScalarGradients grads_;
  float c_ = 0;
  std::uint32_t calls_ = 0;
};

}  // namespace

ScalarGradients scalar_backward(const Problem& problem, const Inputs& inputs,
                                const ForwardResult& forward, const Numerics& how,
                                Exp2Error exp2_error) {
  return Backward(problem, inputs, forward, how, exp2_error).run();
}

}  // namespace attest
