// Goal: a block's ledger of global memory convicts exactly, whatever other blocks do, and leaves
// runs that say what was touched.
#include "kernels/machine/global_ledger.hpp"

#include <gtest/gtest.h>

namespace attest::global_ledger_test {
namespace {

using Charge = Conviction::Charge;
const Where kHere = Where::current();

// Of a tensor whose elements 0 .. written-1 hold values.
GlobalTensor tensor_with(std::int64_t written, std::int64_t count = 1000) {
  GlobalTensor tensor("x", 0, count, true);
  const TouchedRun run{0, written, 0, 0, {}, kHere, {}};
  if (written > 0) tensor.end_launch({&run, 1});
  return tensor;
}

TEST(GlobalLedger, ConvictsAReadOfWhatNobodyWrote) {
  const GlobalTensor tensor = tensor_with(8);
  GlobalLedger ledger(1);
  EXPECT_FALSE(ledger.on_read(tensor, 0, 8, {0, 1, 1}, kHere));
  const auto beyond = ledger.on_read(tensor, 1, 8, {0, 1, 1}, kHere);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->charge, Charge::never_written);
  ASSERT_FALSE(ledger.on_write(tensor, 8, 1, {0, 1, 1}, kHere));
  EXPECT_FALSE(ledger.on_read(tensor, 8, 1, {0, 1, 1}, kHere));
}

TEST(GlobalLedger, ConvictsLanesThatNoBarrierOrders) {
  const GlobalTensor tensor = tensor_with(0);
  GlobalLedger ledger(1);
  ASSERT_FALSE(ledger.on_write(tensor, 255, 2, {0, 1, 1}, kHere));  // on two pages
  EXPECT_TRUE(ledger.on_read(tensor, 255, 1, {1, 1, 1}, kHere));
  EXPECT_TRUE(ledger.on_read(tensor, 256, 1, {1, 1, 1}, kHere));
  EXPECT_FALSE(ledger.on_read(tensor, 256, 1, {1, 2, 2}, kHere));
}

TEST(GlobalLedger, ForgetsABlockThatHasEnded) {
  const GlobalTensor tensor = tensor_with(0);
  GlobalLedger ledger(1);
  std::vector<TouchedRun> runs;
  ASSERT_FALSE(ledger.on_write(tensor, 5, 1, {0, 1, 1}, kHere));
  ledger.end_block(0, runs);
  const auto conviction = ledger.on_read(tensor, 5, 1, {1, 1, 1}, kHere);
  ASSERT_TRUE(conviction);  // what another block wrote is nothing to lean on
  EXPECT_EQ(conviction->charge, Charge::never_written);
}

TEST(GlobalLedger, LetsSumsMeetSumsOnly) {
  const GlobalTensor tensor = tensor_with(4);
  GlobalLedger ledger(1);
  EXPECT_FALSE(ledger.on_add(tensor, 0, {0, 1, 1}, kHere));
  EXPECT_FALSE(ledger.on_add(tensor, 0, {1, 1, 1}, kHere));
  // Not even behind a barrier: the sum is settled when the launch has ended.
  const auto read = ledger.on_read(tensor, 0, 1, {2, 2, 2}, kHere);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->charge, Charge::touched_while_added);
  EXPECT_TRUE(ledger.on_write(tensor, 0, 1, {2, 3, 3}, kHere));
  ASSERT_FALSE(ledger.on_read(tensor, 1, 1, {0, 1, 1}, kHere));
  EXPECT_TRUE(ledger.on_add(tensor, 1, {1, 1, 1}, kHere));
  ASSERT_FALSE(ledger.on_write(tensor, 2, 1, {0, 1, 1}, kHere));
  EXPECT_FALSE(ledger.on_add(tensor, 2, {1, 2, 2}, kHere));  // set to zero, barrier, add
  const auto unset = ledger.on_add(tensor, 7, {0, 1, 1}, kHere);
  ASSERT_TRUE(unset);
  EXPECT_EQ(unset->charge, Charge::never_written);
}

TEST(GlobalLedger, LeavesOneRunForNeighboursTouchedAlike) {
  const GlobalTensor tensor = tensor_with(1000);
  GlobalLedger ledger(1);
  for (int i = 600; i-- > 250;) {  // over three pages, backwards
    ASSERT_FALSE(ledger.on_write(tensor, i, 1, {0, 1, 1}, kHere));
  }
  const Where read = Where::current();
  ASSERT_FALSE(ledger.on_read(tensor, 300, 2, {0, 1, 1}, read));
  ASSERT_FALSE(ledger.on_add(tensor, 900, {0, 1, 1}, kHere));
  std::vector<TouchedRun> runs;
  ledger.end_block(17, runs);
  ASSERT_EQ(runs.size(), 4u);
  const std::int64_t first[] = {250, 300, 302, 900}, count[] = {50, 2, 298, 1};
  for (std::size_t n = 0; n < runs.size(); ++n) {
    EXPECT_EQ(runs[n].first, first[n]);
    EXPECT_EQ(runs[n].count, count[n]);
    EXPECT_EQ(runs[n].block, 17);
    EXPECT_EQ(is_somewhere(runs[n].written), n < 3);
    EXPECT_EQ(is_somewhere(runs[n].read), n == 1);
    EXPECT_EQ(is_somewhere(runs[n].added), n == 3);
  }
  EXPECT_TRUE(same_line(runs[1].read, read));
  runs.clear();
  ledger.end_block(18, runs);
  EXPECT_TRUE(runs.empty());
}

}  // namespace
}  // namespace attest::global_ledger_test
