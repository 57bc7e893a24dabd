#include "harness/cache/oracle_memory.hpp"

#include <chrono>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "fixtures/sha256.hpp"
#include "harness/cache/answer_codec.hpp"
#include "harness/cache/oracle_digest.hpp"
#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

// Collects what an answer depends on. Everything of variable length is preceded by its length, so
// that no two questions are the same bytes.
class Question {
 public:
  Question(std::string_view asked, Precision precision, const Problem& problem,
           const Inputs& inputs) {
    add_text(oracle_digest());
    add_text(oracle_toolchain());
    add_text(asked);
    add_number(static_cast<std::uint64_t>(precision));
    add_text(to_string(problem));
    for (const Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout, &inputs.glse}) {
      add_sized(tensor->bytes());
    }
  }

  void add_sized(std::span<const std::byte> bytes) {
    add_number(bytes.size());
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void add_text(std::string_view text) { add_sized(std::as_bytes(std::span(text))); }
  void add_number(std::uint64_t number) {
    const auto bytes = std::as_bytes(std::span(&number, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  [[nodiscard]] std::string key() const { return sha256_of_bytes(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

std::vector<std::size_t> all_rows(const Answer& answer) {
  std::vector<std::size_t> rows(answer.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

// Keeps what `encode` returns where computing has taken long enough.
template <class Encode>
void keep_if_dear(ContentStore& store, const KeepRule& rule, const std::string& key,
                  Clock::time_point start, const Encode& encode) {
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (seconds < rule.least_seconds) return;
  const std::vector<std::byte> bytes = encode();
  if (seconds >= rule.seconds_a_byte * static_cast<double>(bytes.size())) store.keep(key, bytes);
}

}  // namespace

Answer OracleMemory::enclose_forward(const Problem& problem, const Inputs& inputs) const {
  if (store_ == nullptr) return attest::enclose_forward(problem, inputs);
  const std::string key = Question("forward", kFirstMultiprecision, problem, inputs).key();
  Answer answer(problem);
  const std::vector<std::size_t> rows = all_rows(answer);
  if (const auto bytes = store_->find(key); bytes && put_rows(*bytes, rows, answer)) return answer;
  const auto start = Clock::now();
  answer = attest::enclose_forward(problem, inputs);
  keep_if_dear(*store_, rule_, key, start, [&] { return bytes_of_rows(answer, rows); });
  return answer;
}

void OracleMemory::refine_rows(const Problem& problem, const Inputs& inputs,
                               std::span<const std::size_t> rows, Precision precision,
                               Answer& answer) const {
  if (store_ == nullptr) return attest::refine_rows(problem, inputs, rows, precision, answer);
  const std::vector<std::byte> before = bytes_of_rows(answer, rows);
  Question question("rows", precision, problem, inputs);
  question.add_sized(std::as_bytes(rows));
  question.add_sized(before);
  const std::string key = question.key();
  if (const auto bytes = store_->find(key); bytes && bytes->size() == before.size()) {
    if (put_rows(*bytes, rows, answer)) return;
  }
  const auto start = Clock::now();
  attest::refine_rows(problem, inputs, rows, precision, answer);
  keep_if_dear(*store_, rule_, key, start, [&] { return bytes_of_rows(answer, rows); });
}

BackwardAnswer OracleMemory::enclose_backward(const Problem& problem, const Inputs& inputs,
                                              Precision precision) const {
  if (store_ == nullptr) {
    return attest::enclose_backward(problem, inputs, std::nullopt, precision);
  }
  const std::string key = Question("backward", precision, problem, inputs).key();
  if (const auto bytes = store_->find(key)) {
    if (auto answer = backward_answer_of(*bytes)) return std::move(*answer);
  }
  const auto start = Clock::now();
  BackwardAnswer answer = attest::enclose_backward(problem, inputs, std::nullopt, precision);
  keep_if_dear(*store_, rule_, key, start, [&] { return bytes_of(answer); });
  return answer;
}

}  // namespace attest
