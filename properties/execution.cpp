#include "properties/execution.hpp"

#include "core/contract.hpp"

namespace attest {

std::uint64_t poison_bits(Format format) {
  switch (format) {
    case Format::f64: return 0x7ffadeadbeefcafe;
    case Format::f32: return 0x7fdeadbe;
    case Format::f16: return 0x7eda;
    case Format::bf16: return 0x7fde;
  }
  ATTEST_EXPECTS(false);
  return 0;
}

Tensor poisoned(Format format, const Extents& extents) {
  Tensor tensor(format, extents);
  const std::uint64_t poison = poison_bits(format);
  const auto width = static_cast<std::size_t>(bytes_of(format));
  for (std::size_t at = 0; at < tensor.bytes().size(); at += width) {
    std::memcpy(tensor.bytes().data() + at, &poison, width);
  }
  return tensor;
}

Execution execute(const Subject& subject, const Problem& problem, const Inputs& inputs,
                  const RunSettings& settings) {
  ATTEST_EXPECTS(!subject.unsupported(problem, settings.unit));
  ATTEST_EXPECTS(inputs.q.extents() == problem.q_extents());
  ATTEST_EXPECTS(inputs.k.extents() == problem.k_extents());
  ATTEST_EXPECTS(inputs.v.extents() == problem.v_extents());
  Execution execution{
      {},
      {poisoned(problem.out, problem.o_extents()), poisoned(Format::f32, problem.lse_extents())}};
  Outputs& outputs = execution.outputs;
  execution.outcome = subject.run(problem, {inputs.q.view(), inputs.k.view(), inputs.v.view()},
                                  {outputs.o.view(), outputs.lse.view()}, settings);
  return execution;
}

}  // namespace attest
