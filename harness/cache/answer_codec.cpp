#include "harness/cache/answer_codec.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace attest {
namespace {

// `Codec` below goes through an answer's fields once for both directions.
class Writer {
 public:
  template <class T>
  void exchange(std::span<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  template <class T>
  void resize(std::vector<T>& values) {
    std::uint64_t size = values.size();
    exchange(std::span(&size, 1));
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  void exchange(std::span<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (failed_ || values.size_bytes() > bytes_.size()) {
      failed_ = true;
      return;
    }
    if (!values.empty()) std::memcpy(values.data(), bytes_.data(), values.size_bytes());
    bytes_ = bytes_.subspan(values.size_bytes());
  }
  // No element takes less than a byte, so a size beyond what is left is none.
  template <class T>
  void resize(std::vector<T>& values) {
    std::uint64_t size = 0;
    exchange(std::span(&size, 1));
    failed_ = failed_ || size > bytes_.size();
    values.resize(failed_ ? 0 : size);
  }
  [[nodiscard]] bool ended_well() const { return !failed_ && bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

template <class Direction, class T>
void exchange_one(Direction& way, T& value) {
  way.exchange(std::span(&value, 1));
}

template <class Direction, class T>
void exchange_all(Direction& way, std::vector<T>& values) {
  way.resize(values);
  way.exchange(std::span(values));
}

template <class Direction>
void exchange_rows(Direction& way, Answer& answer, std::span<const std::size_t> rows) {
  const std::size_t columns = answer.rows.empty() ? 0 : answer.o.size() / answer.rows.size();
  for (const std::size_t row : rows) {
    const auto of_row = [&](auto& elements) {
      way.exchange(std::span(elements).subspan(row * columns, columns));
    };
    of_row(answer.o_class);
    of_row(answer.o);
    of_row(answer.elements);
    exchange_one(way, answer.lse_class[row]);
    exchange_one(way, answer.lse[row]);
    exchange_one(way, answer.rows[row]);
    exchange_one(way, answer.bits[row]);
  }
}

template <class Direction>
void exchange_gradient(Direction& way, GradientAnswer& gradient) {
  exchange_all(way, gradient.classes);
  exchange_all(way, gradient.values);
}

template <class Direction>
void exchange_row(Direction& way, BackwardRow& row) {
  exchange_one(way, row.sharp);
  exchange_one(way, row.lse);
  exchange_one(way, row.d);
  exchange_one(way, row.sum_abs_dout_o);
  exchange_one(way, row.max_abs_dot);
  exchange_one(way, row.score_products);
  exchange_all(way, row.pairs);
  exchange_all(way, row.mean_key);
}

template <class Direction>
void exchange_backward(Direction& way, BackwardAnswer& answer) {
  for (GradientAnswer* gradient : {&answer.dq, &answer.dk, &answer.dv}) {
    exchange_gradient(way, *gradient);
  }
  way.resize(answer.rows);
  for (BackwardRow& row : answer.rows) exchange_row(way, row);
  exchange_one(way, answer.bits);
}

}  // namespace

// A Writer only reads what it is given.
std::vector<std::byte> bytes_of_rows(const Answer& answer, std::span<const std::size_t> rows) {
  Writer writer;
  exchange_rows(writer, const_cast<Answer&>(answer), rows);
  return writer.take();
}

bool put_rows(std::span<const std::byte> bytes, std::span<const std::size_t> rows, Answer& answer) {
  Reader reader(bytes);
  exchange_rows(reader, answer, rows);
  return reader.ended_well();
}

std::vector<std::byte> bytes_of(const BackwardAnswer& answer) {
  Writer writer;
  exchange_backward(writer, const_cast<BackwardAnswer&>(answer));
  return writer.take();
}

std::optional<BackwardAnswer> backward_answer_of(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  BackwardAnswer answer;
  exchange_backward(reader, answer);
  if (!reader.ended_well()) return std::nullopt;
  return answer;
}

}  // namespace attest
