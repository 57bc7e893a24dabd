// Goal: what is remembered is bit for bit what would be computed, for that very question; and only
// what is dear is remembered.
#include "harness/cache/oracle_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "harness/cache/answer_codec.hpp"
#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"
#include "properties/draw.hpp"
#include "tests/fixtures/own_folder.hpp"

namespace attest::oracle_memory_test {
namespace {

namespace fs = std::filesystem;

constexpr KeepRule kKeepAll{0, 0};

Case case_of(const std::string& change = "", Pass pass = Pass::fwd) {
  return parse_case("attest1:b=1;hq=2;hk=1;nq=6;nk=9;dqk=4;dv=3;in=f16;out=f16;scale=0x1p-1;" +
                    std::string("left=inf;right=inf;align=br;pass=") +
                    (pass == Pass::fwd ? "fwd" : "bwd") +
                    ";family=F0;seed=" + (change.empty() ? "3" : change));
}

class OracleMemoryTest : public testing::Test {
 protected:
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (!fs::exists(folder_ / "kept")) return found;
    for (const auto& entry : fs::directory_iterator(folder_ / "kept")) {
      found.push_back(entry.path());
    }
    return found;
  }
  // Of the one file: something else under its key, whole and well formed.
  void replace_kept(std::span<const std::byte> bytes) {
    ASSERT_EQ(files().size(), 1U);
    store_.keep(files().front().stem().string(), bytes);
  }

  OwnFolder folder_;
  ContentStore store_{folder_ / "kept"};
  OracleMemory memory_{store_, kKeepAll};
  OracleMemory forgetful_;
  std::vector<std::size_t> rows_ = {1, 2, 7};
};

std::vector<std::byte> bytes_of_all(const Answer& answer) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < answer.rows.size(); ++row) rows.push_back(row);
  return bytes_of_rows(answer, rows);
}

TEST_F(OracleMemoryTest, OfAForwardIsWhatWouldBeComputed) {
  const Case c = case_of();
  const Inputs inputs = materialise(c);
  const auto computed = bytes_of_all(enclose_forward(c.problem, inputs));
  EXPECT_EQ(bytes_of_all(forgetful_.enclose_forward(c.problem, inputs)), computed);
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(bytes_of_all(memory_.enclose_forward(c.problem, inputs)), computed);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(bytes_of_all(memory_.enclose_forward(c.problem, inputs)), computed);
  EXPECT_EQ(files().size(), 1U);
  // The second answer was indeed the one that was kept.
  const Answer other = enclose_forward(c.problem, materialise(case_of("4")));
  replace_kept(bytes_of_all(other));
  EXPECT_EQ(bytes_of_all(memory_.enclose_forward(c.problem, inputs)), bytes_of_all(other));
}

TEST_F(OracleMemoryTest, OfRefinedRowsIsWhatWouldBeComputed) {
  const Case c = case_of();
  const Inputs inputs = materialise(c);
  const Answer loose = enclose_in_binary64(c.problem, inputs);
  Answer computed = loose, first = loose, second = loose;
  refine_rows(c.problem, inputs, rows_, kFirstPrecision, computed);
  memory_.refine_rows(c.problem, inputs, rows_, kFirstPrecision, first);
  EXPECT_EQ(bytes_of_all(first), bytes_of_all(computed));
  EXPECT_EQ(files().size(), 1U);
  memory_.refine_rows(c.problem, inputs, rows_, kFirstPrecision, second);
  EXPECT_EQ(bytes_of_all(second), bytes_of_all(computed));
  EXPECT_EQ(files().size(), 1U);
  const Answer other = enclose_forward(c.problem, materialise(case_of("4")));
  replace_kept(bytes_of_rows(other, rows_));
  second = loose;
  memory_.refine_rows(c.problem, inputs, rows_, kFirstPrecision, second);
  EXPECT_EQ(bytes_of_rows(second, rows_), bytes_of_rows(other, rows_));
}

TEST_F(OracleMemoryTest, OfGradientsIsWhatWouldBeComputed) {
  const Case c = case_of("", Pass::bwd);
  const Inputs inputs = materialise(c);
  const auto computed = bytes_of(enclose_backward(c.problem, inputs));
  EXPECT_EQ(bytes_of(memory_.enclose_backward(c.problem, inputs)), computed);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(bytes_of(memory_.enclose_backward(c.problem, inputs)), computed);
  const auto other = bytes_of(enclose_backward(c.problem, materialise(case_of("4", Pass::bwd))));
  replace_kept(other);
  EXPECT_EQ(bytes_of(memory_.enclose_backward(c.problem, inputs)), other);
}

TEST_F(OracleMemoryTest, TakesEveryQuestionForItself) {
  const Case c = case_of();
  Inputs inputs = materialise(c);
  std::size_t asked = 0;
  const auto ask = [&](const Problem& problem, const Inputs& values) {
    (void)memory_.enclose_forward(problem, values);
    EXPECT_EQ(files().size(), ++asked);
  };
  ask(c.problem, inputs);
  for (Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v}) {
    tensor->view().set_bits(0, 0, 0, 0, tensor->view().bits(0, 0, 0, 0) ^ 1);
    ask(c.problem, inputs);
  }
  Problem other = c.problem;
  other.scale *= 2;
  ask(other, inputs);
  other.right = 0;
  ask(other, inputs);

  const Answer loose = enclose_in_binary64(c.problem, inputs);
  const auto refine = [&](std::vector<std::size_t> rows, Precision precision, Answer answer) {
    memory_.refine_rows(c.problem, inputs, rows, precision, answer);
    EXPECT_EQ(files().size(), ++asked);
  };
  refine({1, 2}, kFirstPrecision, loose);
  refine({1}, kFirstPrecision, loose);
  refine({1, 2}, Precision::digits100, loose);
  Answer narrower = loose;
  narrower.lse[2].hi = std::nextafter(narrower.lse[2].hi, narrower.lse[2].lo);
  refine({1, 2}, kFirstPrecision, narrower);
}

TEST_F(OracleMemoryTest, TellsPassesAndPrecisionsOfGradientsApart) {
  const Case c = case_of("", Pass::bwd);
  const Inputs inputs = materialise(c);
  (void)memory_.enclose_forward(c.problem, inputs);
  (void)memory_.enclose_backward(c.problem, inputs);
  const BackwardAnswer sharper = memory_.enclose_backward(c.problem, inputs, Precision::digits100);
  EXPECT_EQ(files().size(), 3U);
  EXPECT_GT(sharper.bits, memory_.enclose_backward(c.problem, inputs).bits);
}

TEST_F(OracleMemoryTest, ComputesWhereWhatWasKeptIsNoAnswer) {
  const Case c = case_of("", Pass::bwd);
  const Inputs inputs = materialise(c);
  const auto computed = bytes_of(memory_.enclose_backward(c.problem, inputs));
  replace_kept(std::span(computed).first(computed.size() / 2));
  EXPECT_EQ(bytes_of(memory_.enclose_backward(c.problem, inputs)), computed);
}

TEST_F(OracleMemoryTest, KeepsWhatIsDearOnly) {
  const Case c = case_of();
  const Inputs inputs = materialise(c);
  (void)OracleMemory(store_, {1e9, 0}).enclose_forward(c.problem, inputs);
  (void)OracleMemory(store_, {0, 1e9}).enclose_forward(c.problem, inputs);
  EXPECT_TRUE(files().empty());
  (void)OracleMemory(store_, {0, 1e-18}).enclose_forward(c.problem, inputs);
  EXPECT_EQ(files().size(), 1U);
}

}  // namespace
}  // namespace attest::oracle_memory_test
