// kernel.hpp - attention in bf16, one row after another, keys in one pass with a running maximum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

// bfloat16 as its bits.
inline float widen(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

// To nearest, ties to even.
inline std::uint16_t narrow(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

struct Sizes {
  std::int64_t queries, keys, columns_qk, columns_v;
  float scale;
};

enum class Fault { none, last_key_dropped };

// One head; every tensor is row-major. What it does is declared below.
inline void attend(const Sizes& s, const std::uint16_t* q, const std::uint16_t* k,
                   const std::uint16_t* v, std::uint16_t* o, float* lse,
                   Fault fault = Fault::none) {
  const std::int64_t keys = fault == Fault::none || s.keys < 2 ? s.keys : s.keys - 1;
  const float scale_log2e = static_cast<float>(static_cast<double>(s.scale) * 1.4426950408889634);
  const auto weigh = [&](float difference) {
    return static_cast<float>(std::exp2(static_cast<double>(difference * scale_log2e)));
  };
  std::vector<float> sums(static_cast<std::size_t>(s.columns_v));
  for (std::int64_t i = 0; i < s.queries; ++i) {
    float most = -INFINITY, weights = 0;
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (std::int64_t j = 0; j < keys; ++j) {
      float score = 0;
      for (std::int64_t d = 0; d < s.columns_qk; ++d) {
        score = std::fma(widen(q[i * s.columns_qk + d]), widen(k[j * s.columns_qk + d]), score);
      }
      const float before = most;
      if (score > most) most = score;
      const float kept = before == most ? 1.0f : weigh(before - most);
      const float weight = weigh(score - most);
      weights = weights * kept + weight;
      for (std::int64_t d = 0; d < s.columns_v; ++d) {
        float& sum = sums[static_cast<std::size_t>(d)];
        sum = std::fma(weight, widen(v[j * s.columns_v + d]), sum * kept);
      }
    }
    for (std::int64_t d = 0; d < s.columns_v; ++d) {
      const float sum = sums[static_cast<std::size_t>(d)];
      o[i * s.columns_v + d] = narrow(keys > 0 ? sum / weights : 0.0f);
    }
    lse[i] = keys > 0 ? most * s.scale + static_cast<float>(std::log(static_cast<double>(weights)))
                      : -INFINITY;
  }
}

// In the words of attest/subject.h.
inline constexpr char kNumerics[] =
    "unit=fp32-seq;scale_at=scores;c=once;s_store=none;exponent=difference_first;exp2=0x1.00001p-"
    "24;"
    "exp_ftz=no;p_format=f32;p_truncated=no;p_normalised=after;l_from=unrounded;tile_k=1;"
    "divide=exact;o_rounding=nearest;lse_format=f32;log=0x1.00001p-24;ftz=no;o_ftz=no;split=none";
inline constexpr char kSemantics[] = "dead_o=zero;dead_lse=-inf";
