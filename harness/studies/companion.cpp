#include "harness/studies/companion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/mask.hpp"

namespace attest {
namespace {

float narrowed(Format format, float x) { return static_cast<float>(round_to_format(format, x)); }

class CompanionRow {
 public:
  CompanionRow(const Problem& problem, const Inputs& inputs)
      : p_(problem), q_(inputs.q.view()), k_(inputs.k.view()), v_(inputs.v.view()) {}

  // Appends the row's elements.
  void append(Index b, Index h, Index i, std::vector<double>& o) {
    const Index key_head = h / (p_.heads_q / p_.heads_k);
    const bool live = weigh(b, h, key_head, i);
    for (Index column = 0; column < p_.d_v; ++column) {
      float sum = 0;
      for (Index j = 0; live && j < p_.n_k; ++j) {
        if (weights_[static_cast<std::size_t>(j)] == 0) continue;
        sum += weights_[static_cast<std::size_t>(j)] *
               static_cast<float>(v_.value(b, key_head, j, column));
      }
      o.push_back(round_to_format(p_.out, sum));
    }
  }

 private:
  // false: no key is live.
  bool weigh(Index b, Index h, Index key_head, Index i) {
    constexpr float kDead = -std::numeric_limits<float>::infinity();
    weights_.assign(static_cast<std::size_t>(p_.n_k), kDead);
    float most = kDead;
    for (Index j = 0; j < p_.n_k; ++j) {
      if (!is_live(p_, b, i, j)) continue;
      float s = 0;
      for (Index c = 0; c < p_.d_qk; ++c) {
        const auto k = static_cast<float>(k_.value(b, key_head, j, c));
        s += static_cast<float>(q_.value(b, h, i, c)) * narrowed(p_.in, k * p_.scale);
      }
      weights_[static_cast<std::size_t>(j)] = s = narrowed(p_.in, s);
      most = std::max(most, s);
    }
    if (most == kDead) return false;
    float sum = 0;
    for (float& w : weights_) sum += w = std::exp(w - most);
    for (float& w : weights_) w = narrowed(p_.in, w / sum);
    return true;
  }

  const Problem& p_;
  ConstTensorView q_, k_, v_;
  std::vector<float> weights_;  // scores, then weights
};

}  // namespace

std::vector<double> companion_output(const Problem& problem, const Inputs& inputs) {
  CompanionRow row(problem, inputs);
  std::vector<double> o;
  for (Index b = 0; b < problem.batch; ++b) {
    for (Index h = 0; h < problem.heads_q; ++h) {
      for (Index i = 0; i < problem.n_q; ++i) row.append(b, h, i, o);
    }
  }
  return o;
}

}  // namespace attest
