#include "kernels/device/exp2_survey.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <thread>

namespace attest {
namespace {

constexpr double kSmallestNormal = 0x1p-126;
constexpr double kEtaFlushed = 0x1p-126, kEtaGradual = 0x1p-150;

// What 2^x must be where no relative error is promised.
bool is_right_special(float x, float y) {
  if (std::isnan(x)) return std::isnan(y);
  if (x > 0) return y == std::numeric_limits<float>::infinity();
  return std::bit_cast<std::uint32_t>(y) == 0;
}

bool is_special(float x) { return !(x < 128.0f) || std::isinf(x); }

}  // namespace

void Exp2Survey::add(std::uint32_t pattern, float y, bool flushed) {
  const float x = std::bit_cast<float>(pattern);
  bool sound = true;
  if (is_special(x)) {
    ++special;
    sound = is_right_special(x, y);
  } else {
    const double exact = std::exp2(static_cast<double>(x));
    const double error = std::abs(static_cast<double>(y) - exact);
    sound = error <= kDeclaredRelative * exact + (flushed ? kEtaFlushed : kEtaGradual);
    if (exact < kSmallestNormal) {
      ++subnormal;
    } else {
      const double ulps = std::ldexp(error, 23 - std::ilogb(exact));
      const double bin = std::min<double>(ulps * kBinsOfUlp, kBins - 1);  // NaN falls to the last
      ++histogram[std::isnan(bin) ? kBins - 1 : static_cast<std::size_t>(bin)];
      if (!(error / exact <= worst_relative)) {
        worst_relative = error / exact;
        worst_at = pattern;
      }
    }
  }
  if (sound) return;
  if (beyond++ == 0) first_beyond = pattern;
}

void Exp2Survey::add(const Exp2Survey& other) {
  for (std::size_t bin = 0; bin < kBins; ++bin) histogram[bin] += other.histogram[bin];
  subnormal += other.subnormal;
  special += other.special;
  if (beyond == 0) first_beyond = other.first_beyond;
  beyond += other.beyond;
  if (!(other.worst_relative <= worst_relative)) {
    worst_relative = other.worst_relative;
    worst_at = other.worst_at;
  }
}

Exp2Survey survey_exp2(std::uint32_t first, const std::vector<float>& y, bool flushed,
                       int threads) {
  std::vector<Exp2Survey> parts(static_cast<std::size_t>(threads));
  const auto survey_part = [&](std::size_t part) {
    const std::size_t begin = y.size() * part / parts.size();
    const std::size_t end = y.size() * (part + 1) / parts.size();
    for (std::size_t i = begin; i < end; ++i) {
      parts[part].add(first + static_cast<std::uint32_t>(i), y[i], flushed);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t part = 0; part < parts.size(); ++part) workers.emplace_back(survey_part, part);
  }
  Exp2Survey whole;
  for (const Exp2Survey& part : parts) whole.add(part);
  return whole;
}

std::string to_text(const Exp2Survey& survey) {
  std::string text;
  char line[128];
  for (std::size_t bin = 0; bin < Exp2Survey::kBins; ++bin) {
    if (survey.histogram[bin] == 0) continue;
    const double from = static_cast<double>(bin) / Exp2Survey::kBinsOfUlp;
    std::snprintf(line, sizeof line, "  from %4.2f ulp  %11lld\n", from,
                  static_cast<long long>(survey.histogram[bin]));
    text += line;
  }
  std::snprintf(line, sizeof line, "  subnormal %lld, special %lld\n",
                static_cast<long long>(survey.subnormal), static_cast<long long>(survey.special));
  text += line;
  std::snprintf(line, sizeof line, "  largest relative error %.4f u at %08x; declared %.0f u\n",
                survey.worst_relative * 0x1p24, survey.worst_at, kDeclaredRelative * 0x1p24);
  text += line;
  if (survey.beyond != 0) {
    std::snprintf(line, sizeof line, "  beyond the declaration: %lld, first %08x\n",
                  static_cast<long long>(survey.beyond), survey.first_beyond);
    text += line;
  }
  return text;
}

}  // namespace attest
