// Goal: every rounding of every emulated unit, bit for bit, against integer arithmetic that shares
// nothing with it, from ordinary data to both ends of the exponent range.
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/kernels/machine/integer_model.hpp"
#include "tests/kernels/machine/products.hpp"

namespace attest::matrix_unit_model_test {
namespace {

constexpr MatrixUnit kRounding[] = {MatrixUnit::exact(), MatrixUnit::v100(), MatrixUnit::a100(),
                                    MatrixUnit::h100()};

// How many outputs were compared, and how many of them fell where a defect would hide.
struct Seen {
  int outputs = 0;
  int subnormal = 0;
  int infinite = 0;
  int unlike_sequential = 0;
};

// Zeros have no sign here: which one a unit gives is tested elsewhere.
bool same(std::uint32_t x, std::uint32_t y) { return x == y || ((x | y) & 0x7fffffffu) == 0; }

template <class Element>
void compare(const MatrixUnit& unit, const Product<Element>& product, Seen& seen) {
  const Sums sums = multiply(product, unit);
  const Sums sequential = multiply(product, MatrixUnit::sequential());
  for (int i = 0; i < 16; ++i) {
    for (int n = 0; n < 8; ++n) {
      const auto bits = std::bit_cast<std::uint32_t>(sums.value[i][n]);
      const std::uint32_t by_model = model_bits(product, unit, i, n);
      ASSERT_TRUE(same(bits, by_model))
          << std::hex << bits << " against " << by_model << " at " << std::dec << i << ", " << n;
      ++seen.outputs;
      seen.subnormal += std::fpclassify(sums.value[i][n]) == FP_SUBNORMAL;
      seen.infinite += std::isinf(sums.value[i][n]);
      seen.unlike_sequential += sums.value[i][n] != sequential.value[i][n];
    }
  }
}

template <class Element>
Seen compare_everywhere(const MatrixUnit& unit) {
  constexpr int kOutputs = 200'000;
  Seen seen;
  std::mt19937 engine(11);
  while (seen.outputs < kOutputs && !testing::Test::HasFatalFailure()) {
    for (const Draw& draw : kDraws<Element>) {
      compare(unit, draw_product<Element>(engine, draw), seen);
    }
  }
  std::printf("%d outputs, %d subnormal, %d infinite, %d unlike fp32-seq\n", seen.outputs,
              seen.subnormal, seen.infinite, seen.unlike_sequential);
  return seen;
}

TEST(MatrixUnitModel, AgreesWithIntegersInF16) {
  for (const MatrixUnit& unit : kRounding) {
    const Seen seen = compare_everywhere<Fp16>(unit);
    EXPECT_GE(seen.outputs, 200'000);
    EXPECT_GT(seen.unlike_sequential, 1000);
  }
}

TEST(MatrixUnitModel, AgreesWithIntegersInBf16) {
  for (const MatrixUnit& unit : kRounding) {
    const Seen seen = compare_everywhere<Bf16>(unit);
    EXPECT_GE(seen.outputs, 200'000);
    EXPECT_GT(seen.unlike_sequential, 1000);
    EXPECT_GT(seen.subnormal, 1000);
    EXPECT_GT(seen.infinite, 1000);
  }
}

}  // namespace
}  // namespace attest::matrix_unit_model_test
