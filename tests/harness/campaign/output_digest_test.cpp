// Goal: two digests are the same exactly where the laws would call the bits the same, so that a
// comparison by digests is one by bits.
#include "harness/campaign/output_digest.hpp"

#include <gtest/gtest.h>

#include "harness/subjects/bits_promise.hpp"
#include "properties/draw.hpp"
#include "tests/harness/stand_in.hpp"

namespace attest::output_digest_test {
namespace {

bool every_row(const NamedOutput&, Index, Index) { return true; }
bool not_the_first_row(const NamedOutput&, Index, Index row) { return row != 0; }

Outputs outputs_of(Pass pass) {
  const Extents rows{1, 2, 3, 4};
  Outputs outputs{Tensor(Format::bf16, rows), Tensor(Format::f32, {1, 2, 3, 1})};
  if (pass == Pass::bwd) outputs.dq = outputs.dk = outputs.dv = Tensor(Format::bf16, rows);
  return outputs;
}

TEST(OutputDigest, ChangesWithEveryBitOfEveryOutput) {
  const Outputs before = outputs_of(Pass::bwd);
  const std::string digest = digest_of_outputs(before, every_row);
  EXPECT_EQ(digest.size(), 16U);
  EXPECT_EQ(digest, digest_of_outputs(before, every_row));
  for (Tensor Outputs::*tensor :
       {&Outputs::o, &Outputs::lse, &Outputs::dq, &Outputs::dk, &Outputs::dv}) {
    for (std::size_t byte = 0; byte < (before.*tensor).bytes().size(); ++byte) {
      Outputs after = before;
      (after.*tensor).bytes()[byte] = std::byte{1};
      EXPECT_NE(digest, digest_of_outputs(after, every_row)) << byte;
    }
  }
}

TEST(OutputDigest, LooksOnlyAtTheRowsThatArePromised) {
  const Outputs before = outputs_of(Pass::fwd);
  Outputs after = before;
  after.o.view().set_bits(0, 1, 0, 2, 0x3f80);
  EXPECT_NE(digest_of_outputs(before, every_row), digest_of_outputs(after, every_row));
  EXPECT_EQ(digest_of_outputs(before, not_the_first_row),
            digest_of_outputs(after, not_the_first_row));
  after.o.view().set_bits(0, 1, 1, 2, 0x3f80);
  EXPECT_NE(digest_of_outputs(before, not_the_first_row),
            digest_of_outputs(after, not_the_first_row));
}

TEST(OutputDigest, TakesAllWrittenNanForOneAndPoisonForNone) {
  const auto digest_with = [](std::uint64_t bits) {
    Outputs outputs = outputs_of(Pass::fwd);
    outputs.lse.view().set_bits(0, 0, 1, 0, bits);
    return digest_of_outputs(outputs, every_row);
  };
  EXPECT_EQ(digest_with(0x7fc00000), digest_with(0xffc00001));
  EXPECT_NE(digest_with(0x7fc00000), digest_with(poison_bits(Format::f32)));
  EXPECT_NE(digest_with(0x7fc00000), digest_with(0x7f800000));
  EXPECT_NE(digest_with(0), digest_with(0x80000000));
}

TEST(CaseDigest, NamesProblemValuesAndSchedule) {
  const Case c = draw(1, 3);
  const Inputs inputs = materialise(c);
  const std::string digest = digest_of_case(c.problem, inputs, 7);
  EXPECT_EQ(digest, digest_of_case(c.problem, inputs, 7));
  EXPECT_NE(digest, digest_of_case(c.problem, inputs, 8));
  Inputs moved = inputs;
  moved.v.bytes().back() ^= std::byte{1};
  EXPECT_NE(digest, digest_of_case(c.problem, moved, 7));
  Problem other = c.problem;
  other.scale *= 2;
  EXPECT_NE(digest, digest_of_case(other, inputs, 7));
}

// One whose promise is its own.
class Promising final : public StandIn, public BitsPromise {
 public:
  explicit Promising(bool promises) : StandIn({.name = "promising"}), promises_(promises) {}
  [[nodiscard]] bool holds() const override { return promises_; }

 private:
  bool promises_;
};

TEST(BitsPromise, IsTheSubjectsOwnOrElseThatOfItsUnit) {
  const StandIn emulated({});
  EXPECT_TRUE(repeats_bits(emulated, Unit::h100));
  EXPECT_FALSE(repeats_bits(emulated, Unit::device));
  for (const Unit unit : {Unit::h100, Unit::device}) {
    EXPECT_TRUE(repeats_bits(Promising(true), unit));
    EXPECT_FALSE(repeats_bits(Promising(false), unit));
  }
}

}  // namespace
}  // namespace attest::output_digest_test
