#include "tests/judge/split_emulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/contract.hpp"

namespace attest {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float rounded(Format format, float x) {
  return static_cast<float>(round_to_format(format, static_cast<double>(x)));
}

// The arithmetic of one declaration.
struct Arithmetic {
  const Numerics& n;
  const SplitChoices& choices;

  [[nodiscard]] float exp2(float x) const {
    auto y = static_cast<float>(std::exp2(static_cast<double>(x)));
    const bool moves = x != 0 && std::isnormal(y);
    for (int ulp = 0; moves && ulp < std::abs(choices.exp2_ulps); ++ulp) {
      y = std::nextafter(y, choices.exp2_ulps > 0 ? kInfinity : 0.0f);
    }
    return *n.exp_ftz && y < std::numeric_limits<float>::min() ? 0.0f : y;
  }
  // c is the scale (or 1, for LSEs) times log2 e.
  [[nodiscard]] float framed(float x, float c) const {
    return n.exponent == Exponent::scaled_max ? x * c : x;
  }
  [[nodiscard]] float weight(float x, float m, float c) const {
    switch (*n.exponent) {
      case Exponent::difference_first: return exp2((x - m) * c);
      case Exponent::scaled_max: return exp2(x - m);
      case Exponent::product_first: return exp2(x * c - m * c);
      case Exponent::fused: return exp2(std::fma(x, c, -(m * c)));
    }
    contract_broken("a form that exists", __FILE__, __LINE__);
  }
  [[nodiscard]] float rescale(float from, float to, float c) const {
    return exp2(n.exponent == Exponent::scaled_max ? from - to : (from - to) * c);
  }
  // A framed maximum in natural units.
  [[nodiscard]] float unframed(float m, float scale) const {
    return n.exponent == Exponent::scaled_max ? m * std::numbers::ln2_v<float> : m * scale;
  }
  [[nodiscard]] float log(float x) const {
    return static_cast<float>(std::log(static_cast<double>(x)));
  }
  [[nodiscard]] float quotient(float x, float y) const {
    return n.divide == Divide::reciprocal ? x * (1.0f / y) : x / y;
  }
};

float log2e_times(float scale) {
  return static_cast<float>(static_cast<double>(scale) * std::numbers::log2e);
}

// An online sum: of keys, or of parts.
struct Sums {
  float m = -kInfinity;
  float l = 0;
  std::vector<float> o;

  void rise_to(float top, const Arithmetic& a, float c) {
    const float alpha = m == -kInfinity ? 0.0f : a.rescale(m, top, c);
    m = top;
    l = l * alpha;
    for (float& x : o) x = x * alpha;
  }
};

struct Partial {
  std::vector<float> o;
  float lse = -kInfinity;
};

class Row {
 public:
  Row(const Problem& p, const Inputs& inputs, const Arithmetic& a, Index i)
      : p_(p), inputs_(inputs), a_(a), i_(i), c_(log2e_times(p.scale)) {}

  [[nodiscard]] Partial part(Index first, Index last) const {
    const Index tile_k = *a_.n.tile_k;
    std::vector<Index> tiles;
    for (Index at = first / tile_k * tile_k; at < last; at += tile_k) tiles.push_back(at);
    if (a_.choices.descending_tiles) std::ranges::reverse(tiles);
    Sums sums;
    sums.o.assign(static_cast<std::size_t>(p_.d_v), 0.0f);
    for (const Index at : tiles) add_tile(sums, std::max(first, at), std::min(last, at + tile_k));
    Partial partial;
    for (const float o : sums.o) partial.o.push_back(a_.quotient(o, sums.l));
    if (*a_.n.split->partial != Format::f32) {
      for (float& o : partial.o) o = rounded(*a_.n.split->partial, o);
    }
    partial.lse = a_.unframed(sums.m, p_.scale) + a_.log(sums.l);
    return partial;
  }

 private:
  [[nodiscard]] float score(Index j) const {
    float sum = 0;
    for (Index c = 0; c < p_.d_qk; ++c) {
      sum = std::fma(static_cast<float>(inputs_.q.view().value(0, 0, i_, c)),
                     static_cast<float>(inputs_.k.view().value(0, 0, j, c)), sum);
    }
    return a_.framed(sum, c_);
  }
  void add_tile(Sums& sums, Index first, Index last) const {
    std::vector<float> scores;
    for (Index j = first; j < last; ++j) scores.push_back(score(j));
    sums.rise_to(std::max(sums.m, *std::ranges::max_element(scores)), a_, c_);
    for (Index j = first; j < last; ++j) {
      const float p = a_.weight(scores[static_cast<std::size_t>(j - first)], sums.m, c_);
      const float stored = rounded(*a_.n.p_format, p);
      sums.l += a_.n.l_from == LFrom::rounded ? stored : p;
      for (std::size_t k = 0; k < sums.o.size(); ++k) {
        const auto v = inputs_.v.view().value(0, 0, j, static_cast<Index>(k));
        sums.o[k] = std::fma(stored, static_cast<float>(v), sums.o[k]);
      }
    }
  }

  const Problem& p_;
  const Inputs& inputs_;
  const Arithmetic& a_;
  Index i_;
  float c_;
};

Partial merge(const std::vector<Partial>& parts, const Arithmetic& a) {
  const float c = log2e_times(1);
  Sums sums;
  sums.o.assign(parts.front().o.size(), 0.0f);
  std::vector<float> framed;
  for (const Partial& part : parts) framed.push_back(a.framed(part.lse, c));
  if (a.choices.largest_first) sums.m = *std::ranges::max_element(framed);
  for (std::size_t s = 0; s < parts.size(); ++s) {
    if (framed[s] > sums.m) sums.rise_to(framed[s], a, c);
    const float w = a.weight(framed[s], sums.m, c);
    sums.l += w;
    for (std::size_t k = 0; k < sums.o.size(); ++k) sums.o[k] += w * parts[s].o[k];
  }
  Partial whole;
  const float m = a.n.exponent == Exponent::scaled_max
                      ? std::ranges::max_element(parts, {}, &Partial::lse)->lse
                      : sums.m;
  whole.lse = m + a.log(sums.l);
  if (a.n.combine == Combine::divide) {
    for (const float o : sums.o) whole.o.push_back(a.quotient(o, sums.l));
    return whole;
  }
  whole.o.assign(sums.o.size(), 0.0f);
  for (const Partial& part : parts) {
    const float w = a.weight(a.framed(part.lse, c), a.framed(whole.lse, c), c);
    for (std::size_t k = 0; k < sums.o.size(); ++k) whole.o[k] += w * part.o[k];
  }
  return whole;
}

}  // namespace

Result emulate_split(const Problem& p, const Inputs& inputs, const Numerics& declared,
                     const SplitChoices& choices) {
  ATTEST_EXPECTS(p.batch == 1 && p.heads_q == 1 && p.n_k > 0);
  const Arithmetic a{declared, choices};
  const Index part_k = *declared.part_k;
  Result result{Tensor(p.out, p.o_extents()), Tensor(Format::f32, p.lse_extents())};
  for (Index i = 0; i < p.n_q; ++i) {
    std::vector<Partial> parts;
    const Row row(p, inputs, a, i);
    for (Index at = 0; at < p.n_k; at += part_k) {
      parts.push_back(row.part(at, std::min(p.n_k, at + part_k)));
    }
    if (choices.descending_parts) std::ranges::reverse(parts);
    const Partial whole = merge(parts, a);
    for (Index k = 0; k < p.d_v; ++k) {
      set(result.o, 0, 0, i, k, static_cast<double>(whole.o[static_cast<std::size_t>(k)]));
    }
    set(result.lse, 0, 0, i, 0, static_cast<double>(whole.lse));
  }
  return result;
}

}  // namespace attest
