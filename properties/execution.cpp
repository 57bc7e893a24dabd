#include "properties/execution.hpp"

#include <exception>
#include <string>

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

std::string first_unwritten(const Problem& problem, const Outputs& outputs) {
  for (const Tensor* tensor : {&outputs.o, &outputs.lse}) {
    const bool is_o = tensor == &outputs.o;
    const ConstTensorView view = tensor->view();
    const std::uint64_t poison = poison_bits(view.format);
    for (Index b = 0; b < problem.batch; ++b) {
      for (Index h = 0; h < problem.heads_q; ++h) {
        for (Index i = 0; i < problem.live_queries(b); ++i) {
          for (Index k = 0; k < view.extents[3]; ++k) {
            if (view.bits(b, h, i, k) != poison) continue;
            return std::string(is_o ? "o" : "lse") + "[b=" + std::to_string(b) +
                   " h=" + std::to_string(h) + " i=" + std::to_string(i) +
                   (is_o ? " d=" + std::to_string(k) + "]" : "]");
          }
        }
      }
    }
  }
  return {};
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
  try {
    execution.outcome = subject.run(problem, {inputs.q.view(), inputs.k.view(), inputs.v.view()},
                                    {outputs.o.view(), outputs.lse.view()}, settings);
  } catch (const std::exception& thrown) {  // the subject's own fault, and a fact about this case
    execution.outcome = {RunOutcome::Kind::crashed, std::string("threw: ") + thrown.what()};
  }
  return execution;
}

}  // namespace attest
