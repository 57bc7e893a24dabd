#include "core/case.hpp"

#include <algorithm>
#include <charconv>

#include "core/contract.hpp"
#include "core/key_values.hpp"
#include "core/problem_text.hpp"

namespace attest {
namespace {

constexpr std::string_view kWhat = "case string";
constexpr std::string_view kDataKeys[] = {"family", "seed", "data"};
constexpr char kHexDigits[] = "0123456789abcdef";

// The pattern's digits, most significant first, so that 1.0 in f16 reads 3c00.
std::string tensor_text(const Tensor& tensor) {
  const auto width = static_cast<std::size_t>(bytes_of(tensor.format()));
  std::string text;
  for (std::size_t element = 0; element < tensor.bytes().size(); element += width) {
    for (std::size_t n = width; n-- > 0;) {
      const auto byte = static_cast<unsigned>(tensor.bytes()[element + n]);
      text += kHexDigits[byte >> 4];
      text += kHexDigits[byte & 15];
    }
  }
  return text;
}

int hex_digit(char c) {
  const auto at = std::string_view(kHexDigits).find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// Reads "<name>:<hex>" at the front of `text` into `tensor` and returns the length it took.
std::size_t read_tensor(std::string_view text, std::size_t offset, std::string_view name,
                        Tensor& tensor) {
  const std::string head = std::string(name) + ":";
  if (text.substr(0, head.size()) != head) fail_at(kWhat, offset, "'" + head + "' is missing");
  const auto width = static_cast<std::size_t>(bytes_of(tensor.format()));
  const std::size_t digits = 2 * tensor.bytes().size();
  for (std::size_t n = 0; n < digits; ++n) {
    const std::size_t at = head.size() + n;
    const int digit = at < text.size() ? hex_digit(text[at]) : -1;
    if (digit < 0) {
      fail_at(kWhat, offset + at,
              "tensor " + std::string(name) + " needs " + std::to_string(digits) +
                  " hexadecimal digits, got " + std::to_string(n));
    }
    const std::size_t byte = n / 2;
    std::byte& target = tensor.bytes()[byte / width * width + (width - 1 - byte % width)];
    target = target << 4 | static_cast<std::byte>(digit);
  }
  return head.size() + digits;
}

Inputs read_literal(const Problem& problem, const KeyValue& entry) {
  const Index bytes = literal_bytes(problem);
  if (bytes > kLargestLiteral) {
    fail_at(kWhat, entry.key_offset,
            "data of " + std::to_string(bytes) + " bytes is over " +
                std::to_string(kLargestLiteral) + " bytes; it belongs in a file (data=sha256:)");
  }
  Inputs inputs = zero_inputs(problem);
  std::size_t at = 0;
  const auto expect = [&](std::string_view separator) {
    if (entry.value.substr(at, separator.size()) != separator) {
      fail_at(kWhat, entry.value_offset + at, "'" + std::string(separator) + "' is missing");
    }
    at += separator.size();
  };
  const auto tensor = [&](std::string_view name, Tensor& target) {
    at += read_tensor(entry.value.substr(at), entry.value_offset + at, name, target);
  };
  tensor("q", inputs.q);
  expect(",");
  tensor("k", inputs.k);
  expect(",");
  tensor("v", inputs.v);
  if (problem.pass == Pass::bwd) {
    expect(",");
    tensor("dout", inputs.dout);
  }
  if (problem.lse_gradient) {
    expect(",");
    tensor("glse", inputs.glse);
  }
  if (at != entry.value.size()) fail_at(kWhat, entry.value_offset + at, "text after the data");
  return inputs;
}

FileData read_digest(const KeyValue& entry, std::string_view digest, std::size_t offset) {
  const bool hex = std::ranges::all_of(digest, [](char c) { return hex_digit(c) >= 0; });
  if (digest.size() != 64 || !hex) {
    fail_at(kWhat, offset, "'" + std::string(entry.value) + "' holds no SHA-256 of 64 digits");
  }
  return {std::string(digest)};
}

std::uint64_t read_seed(const KeyValue& entry) {
  std::uint64_t seed = 0;
  const char* end = entry.value.data() + entry.value.size();
  const auto [stop, error] = std::from_chars(entry.value.data(), end, seed);
  if (error != std::errc{} || stop != end) {
    fail_at(kWhat, entry.value_offset,
            "seed '" + std::string(entry.value) +
                "' is no integer of "
                "64 bits without sign");
  }
  return seed;
}

}  // namespace

Index literal_bytes(const Problem& p) {
  Index elements = volume(p.q_extents()) + volume(p.k_extents()) + volume(p.v_extents());
  if (p.pass == Pass::bwd) elements += volume(p.o_extents());
  const Index rows = p.lse_gradient ? volume(p.lse_extents()) : 0;
  return elements * bytes_of(p.in) + rows * bytes_of(Format::f32);
}

Inputs zero_inputs(const Problem& problem) {
  Inputs inputs{Tensor(problem.in, problem.q_extents()), Tensor(problem.in, problem.k_extents()),
                Tensor(problem.in, problem.v_extents())};
  if (problem.pass == Pass::bwd) inputs.dout = Tensor(problem.in, problem.o_extents());
  if (problem.lse_gradient) inputs.glse = Tensor(Format::f32, problem.lse_extents());
  return inputs;
}

bool has_shapes_of(const Inputs& inputs, const Problem& p) {
  const auto same = [](const Tensor& tensor, Format format, const Extents& extents) {
    return tensor.format() == format && tensor.extents() == extents;
  };
  const auto absent = [](const Tensor& tensor) { return tensor.bytes().empty(); };
  return same(inputs.q, p.in, p.q_extents()) && same(inputs.k, p.in, p.k_extents()) &&
         same(inputs.v, p.in, p.v_extents()) &&
         (p.pass == Pass::bwd ? same(inputs.dout, p.in, p.o_extents()) : absent(inputs.dout)) &&
         (p.lse_gradient ? same(inputs.glse, Format::f32, p.lse_extents()) : absent(inputs.glse));
}

std::string to_string(const Case& c) {
  std::string text = to_string(c.problem);
  if (const auto* drawn = std::get_if<FamilyData>(&c.data)) {
    return text + ";family=" + drawn->family + ";seed=" + std::to_string(drawn->seed);
  }
  if (const auto* file = std::get_if<FileData>(&c.data)) {
    return text + ";data=sha256:" + file->sha256;
  }
  const auto& inputs = std::get<Inputs>(c.data);
  ATTEST_EXPECTS(has_shapes_of(inputs, c.problem));
  ATTEST_EXPECTS(bytes_of(inputs) <= kLargestLiteral);
  return text + ";data=q:" + tensor_text(inputs.q) + ",k:" + tensor_text(inputs.k) +
         ",v:" + tensor_text(inputs.v) +
         (c.problem.pass == Pass::bwd ? ",dout:" + tensor_text(inputs.dout) : "") +
         (c.problem.lse_gradient ? ",glse:" + tensor_text(inputs.glse) : "");
}

Case parse_case(std::string_view text) {
  const auto entries = split_key_values(kWhat, strip_prefix(kWhat, text), kCasePrefix.size());
  const ProblemRead read = read_problem(kWhat, entries);
  const auto rest = std::span(entries).subspan(read.entries_used);
  if (rest.empty()) fail_at(kWhat, text.size(), "key 'family' or 'data' is missing");
  const auto nothing_after = [&](std::size_t count) {
    if (rest.size() > count) {
      fail_at(kWhat, rest[count].key_offset, unknown_name("key", rest[count].key, kDataKeys));
    }
  };
  if (rest[0].key == "family") {
    if (rest.size() < 2) fail_at(kWhat, text.size(), "key 'seed' is missing after 'family'");
    if (rest[1].key != "seed") {
      fail_at(kWhat, rest[1].key_offset, unknown_name("key", rest[1].key, kDataKeys));
    }
    nothing_after(2);
    return {read.problem, FamilyData{std::string(rest[0].value), read_seed(rest[1])}};
  }
  if (rest[0].key != "data") {
    fail_at(kWhat, rest[0].key_offset, unknown_name("key", rest[0].key, kDataKeys));
  }
  nothing_after(1);
  constexpr std::string_view kDigest = "sha256:";
  if (rest[0].value.substr(0, kDigest.size()) == kDigest) {
    return {read.problem, read_digest(rest[0], rest[0].value.substr(kDigest.size()),
                                      rest[0].value_offset + kDigest.size())};
  }
  return {read.problem, read_literal(read.problem, rest[0])};
}

}  // namespace attest
