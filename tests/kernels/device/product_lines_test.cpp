// Goal: the lines that ask the hardware for products are read and written as they say, and the
// kernel behind them puts every element where row-major tiles have it.
#include "kernels/device/product_lines.hpp"

#include <gtest/gtest.h>

#include "kernels/machine/emulator.hpp"
#include "tests/fixtures/own_folder.hpp"

namespace attest::product_lines_test {
namespace {

using Shape = ProductShape;

Bf16 small(int n) { return round_to<Bf16>(static_cast<float>(n)); }

// Values between -4 and 3, so that every sum is exact in every unit.
int value_at(int tensor, int tile, int row, int column) {
  return (row * 7 + column * 5 + tile * 3 + tensor * 11 + row * column) % 8 - 4;
}

struct Tiles {
  std::vector<Bf16> a, b;
  std::vector<float> c, d;
};

// Row-major, d by the definition of a product.
Tiles make_tiles(int count) {
  Tiles tiles;
  for (int tile = 0; tile < count; ++tile) {
    for (int i = 0; i < Shape::kRows; ++i) {
      for (int k = 0; k < Shape::kDepth; ++k) tiles.a.push_back(small(value_at(0, tile, i, k)));
    }
    for (int k = 0; k < Shape::kDepth; ++k) {
      for (int j = 0; j < Shape::kColumns; ++j) tiles.b.push_back(small(value_at(1, tile, k, j)));
    }
    for (int i = 0; i < Shape::kRows; ++i) {
      for (int j = 0; j < Shape::kColumns; ++j) {
        int sum = value_at(2, tile, i, j);
        tiles.c.push_back(static_cast<float>(sum));
        for (int k = 0; k < Shape::kDepth; ++k) {
          sum += value_at(0, tile, i, k) * value_at(1, tile, k, j);
        }
        tiles.d.push_back(static_cast<float>(sum));
      }
    }
  }
  return tiles;
}

TEST(OneProduct, MultipliesEachTileByTheDefinition) {
  const Tiles tiles = make_tiles(3);
  Emulator emulator(Emulation{});
  EXPECT_EQ(products_of(emulator, tiles.a, tiles.b, tiles.c), tiles.d);
  EXPECT_TRUE(emulator.report().clean());
}

TEST(ProductLines, CarryATileThereAndBack) {
  const Tiles tiles = make_tiles(1);
  Emulator emulator(Emulation{});
  const std::string line = "bf16 " + hex_of_values(tiles.a) + " " + hex_of_values(tiles.b) + " " +
                           hex_of_values(tiles.c);
  EXPECT_EQ(answer_product_line(emulator, line), hex_of_values(tiles.d));
}

TEST(ProductLines, WriteTheHighestDigitFirst) {
  EXPECT_EQ(hex_of_values(std::vector<float>{1.0f, -0.0f}), "3f80000080000000");
  EXPECT_EQ(values_of_hex<float>("3f80000080000000", 2).front(), 1.0f);
  EXPECT_EQ(values_of_hex<Fp16>("3c00", 1).front().bits, 0x3c00);
}

TEST(ProductLines, RefuseWhatIsNoTile) {
  EXPECT_EQ(error_of([] { values_of_hex<Fp16>("3c0", 1); }),
            "usage: a tile of 1 values needs 4 hex digits, not '3c0'");
  EXPECT_EQ(error_of([] { values_of_hex<Fp16>("3c0g", 1); }),
            "usage: a tile of 1 values needs 4 hex digits, not '3c0g'");
  Emulator emulator(Emulation{});
  EXPECT_EQ(error_of([&] { answer_product_line(emulator, "f32 0 0 0"); }),
            "usage: a line begins with f16 or bf16, not 'f32'");
}

}  // namespace
}  // namespace attest::product_lines_test
