#include "kernels/canaries/plain.hpp"

#include "kernels/canaries/plain_subject.hpp"

namespace attest {

std::optional<std::string> plain_declines(const Problem& problem, Unit unit) {
  if (unit != Unit::fp32_seq) {
    return "the plain kernel is scalar: unit fp32-seq only, not " + std::string(name_of(unit));
  }
  if (problem.pass == Pass::bwd) return "the plain kernel has no backward yet";
  if (problem.in == Format::f64) return "the plain kernel takes f32, f16 or bf16 inputs, not f64";
  if (problem.out == Format::f64) return "the plain kernel writes f32, f16 or bf16, not f64";
  return std::nullopt;
}

Semantics plain_semantics() {
  Semantics semantics;
  semantics.dead_o = DeadO::zero;
  semantics.dead_lse = DeadLse::minus_inf;
  semantics.nonfinite = NonFinite::row_local;
  semantics.beyond_lengths = BeyondLengths::zero;
  return semantics;
}

std::unique_ptr<Subject> make_plain(std::string name, PlainConfig config) {
  return std::make_unique<PlainSubject<NoFault>>(std::move(name), config);
}

}  // namespace attest
