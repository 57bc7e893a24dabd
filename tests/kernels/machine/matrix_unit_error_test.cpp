// Goal: the constant that budgets take from error-analysis.md, Lemma 4 covers what each emulated
// unit really loses, and is no looser than a few times that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "judge/arithmetic.hpp"
#include "tests/kernels/machine/products.hpp"

namespace attest::matrix_unit_error_test {
namespace {

// The worst |computed - exact| / sum |x y| over many dot products of 16. Operands are between 1 and
// 2 in magnitude, so that binary64 holds their sums exactly.
template <class Element>
double worst_loss(const MatrixUnit& unit, bool same_sign) {
  std::mt19937 engine(17);
  std::uniform_real_distribution<float> magnitude(1, 2);
  const auto draw = [&] {
    const float x = magnitude(engine);
    return round_to<Element>(same_sign || engine() % 2 == 0 ? x : -x);
  };
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    Product<Element> product{};
    for (auto& row : product.a) std::ranges::generate(row, draw);
    for (auto& row : product.b) std::ranges::generate(row, draw);
    for (auto& row : product.a) row[0] = round_to<Element>(widen(row[0]) * 0x1p10f);
    const Sums sums = multiply(product, unit);
    for (int i = 0; i < 16; ++i) {
      for (int n = 0; n < 8; ++n) {
        double exact = 0, mass = 0;
        for (int k = 0; k < 16; ++k) {
          const double term = double{widen(product.a[i][k])} * double{widen(product.b[k][n])};
          exact += term;
          mass += std::fabs(term);
        }
        worst = std::max(worst, std::fabs(sums.value[i][n] - exact) / mass);
      }
    }
  }
  return worst;
}

TEST(MatrixUnitError, StaysWithinTheConstantOfLemma4) {
  for (const Unit name : kUnits) {
    const auto unit = matrix_unit_of(name);
    if (!unit) continue;
    Resolved arithmetic;
    arithmetic.unit = name;
    arithmetic.unit_known = true;
    const double gam = gam_of_dot(arithmetic, 16, 16);
    const double worst = std::max({worst_loss<Fp16>(*unit, true), worst_loss<Fp16>(*unit, false),
                                   worst_loss<Bf16>(*unit, true), worst_loss<Bf16>(*unit, false)});
    EXPECT_LE(worst, gam) << name_of(name);
    EXPECT_GT(worst, gam / 16) << name_of(name) << ": data that cannot find a constant too small";
    std::printf("%s: worst %.3f of Gam\n", std::string(name_of(name)).c_str(), worst / gam);
  }
}

}  // namespace
}  // namespace attest::matrix_unit_error_test
