// Goal: numbers enter and leave multiprecision exactly or outward, at every rung of the ladder.
#include "oracle/real.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "core/case.hpp"
#include "core/random.hpp"
#include "oracle/enclose_forward.hpp"

namespace attest::real_test {
namespace {

template <unsigned Digits>
void expect_exact_widening() {
  Widener<Digits> widen;
  const auto expect_same = [&](double x) {
    mpfr_srcptr wide = widen(x);
    EXPECT_EQ(mpfr_cmp_d(wide, x), 0) << x;
    EXPECT_EQ(mpfr_get_d(wide, MPFR_RNDN), x);
    // The fast path must leave a number that MPFR's own arithmetic takes.
    Real<Digits> sum;
    mpfr_add(raw(sum), wide, wide, MPFR_RNDN);
    EXPECT_EQ(mpfr_cmp_d(raw(sum), 2 * x), 0) << x;
  };
  for (const double x :
       {0.0, 1.0, -1.0, 0x1p-1022, -0x1.8p-1060, 0x1p-1073, 1.5, -2.75, 0x1.fp+1000}) {
    expect_same(x);
  }
  for (std::uint32_t n = 0; n < 5000; ++n) {
    const RandomBits bits = random_bits(3, {50, 0, 0, n, 0});
    const double x = std::bit_cast<double>(std::uint64_t{bits[0]} << 32 | bits[1]);
    if (std::isfinite(x) && std::fabs(x) < 0x1p1000 && std::fabs(x) > 0x1p-1070) expect_same(x);
  }
}

TEST(Real, WidensEveryBinary64ExactlyAtEveryRung) {
  expect_exact_widening<50>();
  expect_exact_widening<100>();
  expect_exact_widening<200>();
  expect_exact_widening<400>();
}

TEST(Real, HasTheBitsItsDigitsNeed) {
  EXPECT_GE(working_bits<50>(), 167);
  EXPECT_GE(working_bits<100>(), 333);
  EXPECT_GE(working_bits<200>(), 665);
  EXPECT_GE(working_bits<400>(), 1329);
}

// Blocks that GMP and MPFR hold at the moment.
std::atomic<long> blocks = 0;

void* take(std::size_t size) {
  ++blocks;
  return std::malloc(size);
}
void* resize(void* block, std::size_t, std::size_t size) { return std::realloc(block, size); }
void give(void* block, std::size_t) {
  --blocks;
  std::free(block);
}

TEST(Real, LeavesNoCachesOfAThreadThatEnded) {
  Problem problem;
  problem.n_k = 2;
  const Inputs inputs = zero_inputs(problem);
  mp_set_memory_functions(take, resize, give);
  std::thread([&] {
    (void)enclose_forward(problem, inputs);
    EXPECT_GT(blocks, 0);  // caches of log 2 at least, while the thread lives
  }).join();
  EXPECT_EQ(blocks, 0);
  mp_set_memory_functions(nullptr, nullptr, nullptr);
}

TEST(Real, GammaIsAboveItsDefinitionAtEveryRung) {
  EXPECT_GT(gamma<50>(7), 7 * std::ldexp(1.0, -working_bits<50>()));
  EXPECT_GT(gamma<400>(7), 7 * 0x1p-1001);  // u itself, 2^-1330, is no binary64
}

TEST(Real, EnclosesOutward) {
  Real<50> third = Real<50>(1) / 3;
  const Enclosure point = enclose(third, 0.0);
  EXPECT_LT(point.lo, point.hi);
  EXPECT_EQ(point.hi, std::nextafter(point.lo, 1.0));
  EXPECT_LE(enclose(third, 0x1p-3).lo, 1.0 / 3 - 0.125);
  EXPECT_EQ(enclose(Real<50>(2), 0.0), (Enclosure{2, 2}));
  EXPECT_EQ(enclose(Real<50>(2), kInfinity), (Enclosure{-kInfinity, kInfinity}));
}

}  // namespace
}  // namespace attest::real_test
