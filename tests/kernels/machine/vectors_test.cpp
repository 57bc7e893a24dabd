// Goal: the truncating units give, bit for bit, what real matrix units gave.
//
// The measurements are not part of this repository. Each line of a file holds a[0..K-1] b[0..K-1] c
// d as bit patterns of binary32 in hex, K the width of one block (32 in 8 bits): d is a . b + c as
// measured.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/format.hpp"
#include "kernels/machine/fp8_unit.hpp"
#include "tests/kernels/machine/products.hpp"

namespace attest::vectors_test {
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

constexpr char kNotRun[] =
    "not run: ATTEST_MATRIX_UNIT_VECTORS names no folder of measured vectors";

// Null where no folder of measured vectors is named.
const char* folder_of_vectors() {
  const char* const folder = std::getenv("ATTEST_MATRIX_UNIT_VECTORS");
  return folder == nullptr || *folder == '\0' ? nullptr : folder;
}

// Each vector once in every block that a 16-deep product chains, beside zeros: they change nothing.
template <class Element>
void reproduce(const std::string& name, const MatrixUnit& unit) {
  const char* const folder = folder_of_vectors();
  if (folder == nullptr) GTEST_SKIP() << kNotRun;
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

std::vector<std::uint8_t> exactly(Format format, const std::vector<float>& values) {
  std::vector<std::uint8_t> patterns;
  for (const float x : values) {
    patterns.push_back(static_cast<std::uint8_t>(round_to_bits(format, x)));
    EXPECT_EQ(widen_bits(format, patterns.back()), x) << "an operand is not a value of its format";
  }
  return patterns;
}

enum class Accumulator { of_the_file, zero };

void reproduce(const std::string& name, Format format, const Fp8Unit& unit,
               Accumulator accumulator) {
  const char* const folder = folder_of_vectors();
  if (folder == nullptr) GTEST_SKIP() << kNotRun;
  int unequal = 0;
  for (const Vector& vector : read_vectors(std::filesystem::path(folder) / (name + ".txt"), 32)) {
    const float c = accumulator == Accumulator::zero ? 0 : vector.c;
    const float sum =
        accumulate(unit, format, exactly(format, vector.a), exactly(format, vector.b), c);
    unequal += std::bit_cast<std::uint32_t>(sum) != std::bit_cast<std::uint32_t>(vector.d);
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

// The accumulator of the H100's files took no part in what was measured.
TEST(Vectors, OfH100InE4m3AreReproduced) {
  reproduce("H100-e4m3", Format::e4m3, Fp8Unit::h100(), Accumulator::zero);
}
TEST(Vectors, OfH100InE5m2AreReproduced) {
  reproduce("H100-e5m2", Format::e5m2, Fp8Unit::h100(), Accumulator::zero);
}
TEST(Vectors, OfAdaInE4m3AreReproduced) {
  reproduce("Ada-e4m3", Format::e4m3, Fp8Unit::ada(), Accumulator::of_the_file);
}

}  // namespace
}  // namespace attest::vectors_test
