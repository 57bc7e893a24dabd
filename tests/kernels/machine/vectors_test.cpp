// Goal: the truncating units give, bit for bit, what real matrix units gave.
//
// The measurements are not part of this repository. Each line of a file holds a[0..K-1] b[0..K-1] c
// d as bit patterns of binary32 in hex, K the width of one block: d is a . b + c as measured.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/kernels/machine/products.hpp"

namespace attest {
namespace {

struct Vector {
  std::vector<float> a, b;
  float c, d;
};

// Empty, with a failure recorded, when the file is missing or malformed.
std::vector<Vector> read_vectors(const std::filesystem::path& file, std::size_t width) {
  std::ifstream in(file);
  std::vector<Vector> vectors;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::vector<float> values;
    for (std::uint32_t bits = 0; words >> std::hex >> bits;) {
      values.push_back(std::bit_cast<float>(bits));
    }
    if (!words.eof() || values.size() != 2 * width + 2) {
      ADD_FAILURE() << file << " has a malformed line: " << line;
      return {};
    }
    const auto b = values.begin() + static_cast<std::ptrdiff_t>(width);
    vectors.push_back(
        {{values.begin(), b}, {b, values.end() - 2}, *(values.end() - 2), values.back()});
  }
  EXPECT_FALSE(vectors.empty()) << file << " is missing or empty";
  return vectors;
}

template <class Element>
Element exactly(float x) {
  const auto element = round_to<Element>(x);
  EXPECT_EQ(widen(element), x) << "an operand is not a value of its format";
  return element;
}

// Each vector once in every block that a 16-deep product chains, beside zeros: they change nothing.
template <class Element>
void reproduce(const std::string& name, const MatrixUnit& unit) {
  const char* const folder = std::getenv("ATTEST_MATRIX_UNIT_VECTORS");
  if (folder == nullptr || *folder == '\0') {
    GTEST_SKIP() << "not run: ATTEST_MATRIX_UNIT_VECTORS names no folder of measured vectors";
  }
  const auto width = static_cast<std::size_t>(unit.width);
  int unequal = 0;
  for (const Vector& vector :
       read_vectors(std::filesystem::path(folder) / (name + ".txt"), width)) {
    for (std::size_t first = 0; first < 16; first += width) {
      Product<Element> product{};
      product.c[5][3] = vector.c;
      for (std::size_t k = 0; k < width; ++k) {
        product.a[5][first + k] = exactly<Element>(vector.a[k]);
        product.b[first + k][3] = exactly<Element>(vector.b[k]);
      }
      const float sum = multiply(product, unit).value[5][3];
      unequal += std::bit_cast<std::uint32_t>(sum) != std::bit_cast<std::uint32_t>(vector.d);
    }
  }
  EXPECT_EQ(unequal, 0) << name;
}

TEST(Vectors, OfV100InF16AreReproduced) { reproduce<Fp16>("V100-fp16", MatrixUnit::v100()); }
TEST(Vectors, OfA100InF16AreReproduced) { reproduce<Fp16>("A100-fp16", MatrixUnit::a100()); }
TEST(Vectors, OfA100InBf16AreReproduced) { reproduce<Bf16>("A100-bf16", MatrixUnit::a100()); }
TEST(Vectors, OfAdaInF16AreReproduced) { reproduce<Fp16>("Ada-fp16", MatrixUnit::a100()); }
TEST(Vectors, OfH100InF16AreReproduced) { reproduce<Fp16>("H100-fp16", MatrixUnit::h100()); }
TEST(Vectors, OfH100InBf16AreReproduced) { reproduce<Bf16>("H100-bf16", MatrixUnit::h100()); }
TEST(Vectors, OfB200InF16AreReproduced) { reproduce<Fp16>("B200-fp16", MatrixUnit::h100()); }
TEST(Vectors, OfB200InBf16AreReproduced) { reproduce<Bf16>("B200-bf16", MatrixUnit::h100()); }

}  // namespace
}  // namespace attest
