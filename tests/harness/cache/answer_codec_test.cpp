// Goal: answers come back from their bytes bit for bit, and other bytes are no answer.
#include "harness/cache/answer_codec.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"

namespace attest::answer_codec_test {
namespace {

using Bytes = std::vector<std::byte>;

Case small_case(Pass pass) {
  const std::string text =
      "attest1:b=2;hq=2;hk=1;nq=5;nk=7;dqk=4;dv=3;in=f16;out=f16;scale=0x1p-1;left=inf;right=0;"
      "align=br;lk=7,3;pass=";
  return parse_case(text + (pass == Pass::fwd ? "fwd" : "bwd") + ";family=F0;seed=3");
}

std::vector<std::size_t> all_rows(const Answer& answer) {
  std::vector<std::size_t> rows(answer.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

TEST(AnswerCodec, BringsRowsBackBitForBit) {
  const Case c = small_case(Pass::fwd);
  const Answer answer = enclose_forward(c.problem, materialise(c));
  const std::vector<std::size_t> rows = all_rows(answer);
  const Bytes bytes = bytes_of_rows(answer, rows);
  Answer back(c.problem);
  ASSERT_TRUE(put_rows(bytes, rows, back));
  EXPECT_EQ(back.o, answer.o);
  EXPECT_EQ(back.o_class, answer.o_class);
  EXPECT_EQ(back.lse, answer.lse);
  EXPECT_EQ(back.lse_class, answer.lse_class);
  EXPECT_EQ(back.bits, answer.bits);
  for (std::size_t n = 0; n < answer.elements.size(); ++n) {
    EXPECT_EQ(std::memcmp(&back.elements[n], &answer.elements[n], sizeof(ElementMoments)), 0);
  }
  for (std::size_t n = 0; n < answer.rows.size(); ++n) {
    EXPECT_EQ(std::memcmp(&back.rows[n], &answer.rows[n], sizeof(RowMoments)), 0);
  }
}

TEST(AnswerCodec, WritesOnlyTheRowsThatAreNamed) {
  const Case c = small_case(Pass::fwd);
  const Answer answer = enclose_forward(c.problem, materialise(c));
  const std::size_t rows[] = {1, 4};
  Answer back(c.problem);
  ASSERT_TRUE(put_rows(bytes_of_rows(answer, rows), rows, back));
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    const bool named = row == 1 || row == 4;
    EXPECT_EQ(back.bits[row], named ? answer.bits[row] : 0) << row;
    EXPECT_EQ(back.lse[row], named ? answer.lse[row] : Enclosure{}) << row;
    EXPECT_EQ(back.o[3 * row], named ? answer.o[3 * row] : Enclosure{}) << row;
  }
}

TEST(AnswerCodec, RefusesRowsOfAnotherLength) {
  const Case c = small_case(Pass::fwd);
  const Answer answer = enclose_forward(c.problem, materialise(c));
  const std::size_t rows[] = {1, 4};
  const std::size_t one[] = {1};
  const Bytes bytes = bytes_of_rows(answer, rows);
  Answer back(c.problem);
  EXPECT_FALSE(put_rows(std::span(bytes).first(bytes.size() - 1), rows, back));
  EXPECT_FALSE(put_rows(bytes, one, back));
  EXPECT_FALSE(put_rows({}, rows, back));
}

TEST(AnswerCodec, BringsGradientsAndPairsBackBitForBit) {
  const Case c = small_case(Pass::bwd);
  const BackwardAnswer answer = enclose_backward(c.problem, materialise(c));
  const Bytes bytes = bytes_of(answer);
  const std::optional<BackwardAnswer> back = backward_answer_of(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(bytes_of(*back), bytes);  // and so is each field, which the bytes hold
  EXPECT_EQ(back->dq.values, answer.dq.values);
  EXPECT_EQ(back->dk.classes, answer.dk.classes);
  EXPECT_EQ(back->dv.values, answer.dv.values);
  EXPECT_EQ(back->bits, answer.bits);
  ASSERT_EQ(back->rows.size(), answer.rows.size());
  bool any_pairs = false;
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    const auto &a = answer.rows[row], &z = back->rows[row];
    EXPECT_EQ(z.lse, a.lse);
    EXPECT_EQ(z.mean_key, a.mean_key);
    ASSERT_EQ(z.pairs.size(), a.pairs.size());
    any_pairs = any_pairs || !a.pairs.empty();
    for (std::size_t n = 0; n < a.pairs.size(); ++n) {
      EXPECT_EQ(std::memcmp(&z.pairs[n], &a.pairs[n], sizeof(Pair)), 0);
    }
  }
  EXPECT_TRUE(any_pairs);
}

TEST(AnswerCodec, RefusesGradientsThatAreCutShortOrTooLong) {
  const Case c = small_case(Pass::bwd);
  Bytes bytes = bytes_of(enclose_backward(c.problem, materialise(c)));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(backward_answer_of(std::span(bytes).first(size)).has_value()) << size;
  }
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(backward_answer_of(bytes).has_value());
}

// A size that no file could hold must not be allocated.
TEST(AnswerCodec, RefusesAbsurdSizes) {
  Bytes bytes(64, std::byte{0xff});
  EXPECT_FALSE(backward_answer_of(bytes).has_value());
  bytes[7] = std::byte{0};
  EXPECT_FALSE(backward_answer_of(bytes).has_value());
}

}  // namespace
}  // namespace attest::answer_codec_test
