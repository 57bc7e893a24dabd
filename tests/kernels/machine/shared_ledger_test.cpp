// Goal: shared memory is watched in cells of two bytes, and is fresh for each block.
#include "kernels/machine/shared_ledger.hpp"

#include <gtest/gtest.h>

namespace attest::shared_ledger_test {
namespace {

using Charge = Conviction::Charge;
const Where kHere = Where::current();

TEST(SharedLedger, AcceptsNeighbouringCells) {
  SharedLedger ledger(64);
  for (int thread = 0; thread < 32; ++thread) {
    EXPECT_FALSE(ledger.on_write(2 * thread, 2, {thread, 1, 1}, kHere));
  }
}

TEST(SharedLedger, ConvictsAnOverlapOfAnyWidth) {
  SharedLedger ledger(64);
  ASSERT_FALSE(ledger.on_write(16, 16, {0, 1, 1}, kHere));
  for (int offset = 14; offset <= 32; offset += 2) {
    const auto conviction = ledger.on_read(offset, 2, {40, 1, 1}, kHere);
    ASSERT_TRUE(conviction);
    const bool inside = offset >= 16 && offset < 32;
    EXPECT_EQ(conviction->charge, inside ? Charge::read_after_write : Charge::never_written);
  }
}

TEST(SharedLedger, ConvictsAReadOfWhatNobodyWrote) {
  SharedLedger ledger(64);
  ASSERT_FALSE(ledger.on_write(0, 2, {0, 1, 1}, kHere));
  EXPECT_FALSE(ledger.on_read(0, 2, {0, 1, 1}, kHere));
  const auto half = ledger.on_read(0, 4, {0, 1, 1}, kHere);
  ASSERT_TRUE(half);
  EXPECT_EQ(half->charge, Charge::never_written);
}

TEST(SharedLedger, IsFreshForTheNextBlock) {
  SharedLedger ledger(64);
  ledger.begin(1);
  ASSERT_FALSE(ledger.on_write(0, 4, {0, 3, 3}, kHere));
  ASSERT_FALSE(ledger.on_read(0, 4, {40, 4, 4}, kHere));
  ledger.begin(5);
  const auto stale = ledger.on_read(0, 4, {0, 5, 5}, kHere);
  ASSERT_TRUE(stale);
  EXPECT_EQ(stale->charge, Charge::never_written);
  ASSERT_FALSE(ledger.on_write(4, 4, {1, 5, 5}, kHere));
  EXPECT_FALSE(ledger.on_read(4, 4, {1, 5, 5}, kHere));
}

}  // namespace
}  // namespace attest::shared_ledger_test
