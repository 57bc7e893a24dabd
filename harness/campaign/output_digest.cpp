#include "harness/campaign/output_digest.hpp"

#include <cstring>
#include <span>
#include <vector>

#include "fixtures/sha256.hpp"

namespace attest {
namespace {

constexpr std::size_t kDigits = 16;

void append(std::vector<std::byte>& bytes, std::string_view text) {
  const auto more = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

std::string digest(std::span<const std::byte> bytes) {
  return sha256_of_bytes(bytes).substr(0, kDigits);
}

// All NaN that a subject wrote look alike; poison, which it did not write, stays what it is.
std::uint64_t without_payload(Format format, std::uint64_t bits) {
  const bool written = classify(format, bits) == ValueClass::nan && bits != poison_bits(format);
  return written ? ~std::uint64_t{0} : bits;
}

void append_row(std::vector<std::byte>& bytes, const Tensor& tensor, Index b, Index h, Index row) {
  const ConstTensorView view = tensor.view();
  const auto width = static_cast<std::size_t>(bytes_of(tensor.format()));
  for (Index k = 0; k < tensor.extents()[3]; ++k) {
    const std::uint64_t bits = without_payload(tensor.format(), view.bits(b, h, row, k));
    const auto low = std::as_bytes(std::span(&bits, 1)).first(width);
    bytes.insert(bytes.end(), low.begin(), low.end());
  }
}

}  // namespace

std::string digest_of_case(const Problem& problem, const Inputs& inputs,
                           std::uint64_t schedule_seed) {
  std::vector<std::byte> bytes;
  append(bytes, to_string(problem) + " " + std::to_string(schedule_seed) + "\n");
  for (const Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout, &inputs.glse}) {
    bytes.insert(bytes.end(), tensor->bytes().begin(), tensor->bytes().end());
  }
  return digest(bytes);
}

std::string digest_of_outputs(const Outputs& outputs, const RowFilter& chosen) {
  std::vector<std::byte> bytes;
  for (const NamedOutput& output : named_outputs(outputs)) {
    append(bytes, output.name);
    const auto [batch, heads, rows, columns] = output.tensor->extents();
    for (Index b = 0; b < batch; ++b) {
      for (Index row = 0; row < rows; ++row) {
        if (!chosen(output, b, row)) continue;
        for (Index h = 0; h < heads; ++h) append_row(bytes, *output.tensor, b, h, row);
      }
    }
  }
  return digest(bytes);
}

}  // namespace attest
