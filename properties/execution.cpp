#include "properties/execution.hpp"

#include <exception>
#include <string>

#include "core/contract.hpp"
#include "core/error.hpp"

namespace attest {
namespace {

// What a subject throws is its own fault, and a fact about this case; a process that the system did
// not start is not.
template <class Run>
RunOutcome caught(Run run) {
  try {
    return run();
  } catch (const Error& error) {
    if (error.blame() == Blame::ours) throw;
    return {RunOutcome::Kind::crashed, std::string("threw: ") + error.what()};
  } catch (const std::exception& thrown) {
    return {RunOutcome::Kind::crashed, std::string("threw: ") + thrown.what()};
  }
}

void check_call(const Subject& subject, const Problem& problem, const Inputs& inputs,
                const RunSettings& settings) {
  ATTEST_EXPECTS(!subject.unsupported(problem, settings.unit));
  ATTEST_EXPECTS(has_shapes_of(inputs, problem));
}

RunOutcome run_backward(const Subject& subject, const Problem& problem, const Inputs& inputs,
                        Outputs& outputs, const RunSettings& settings) {
  const Outputs& stored = outputs;
  BackwardInputs given{inputs.q.view(), inputs.k.view(),   inputs.v.view(),
                       stored.o.view(), stored.lse.view(), inputs.dout.view()};
  if (problem.lse_gradient) given.glse = inputs.glse.view();
  return caught([&] {
    return subject.run_backward(
        problem, given, {outputs.dq.view(), outputs.dk.view(), outputs.dv.view()}, settings);
  });
}

}  // namespace

std::string place_in(const NamedOutput& output, Index b, Index h, Index row, Index column) {
  std::string text = std::string(output.name) + "[b=" + std::to_string(b) +
                     " h=" + std::to_string(h) + (output.by_keys ? " j=" : " i=") +
                     std::to_string(row);
  if (output.name != "lse") text += " d=" + std::to_string(column);
  return text + "]";
}

std::vector<NamedOutput> named_forward(const Outputs& outputs) {
  return {{"o", &outputs.o, false}, {"lse", &outputs.lse, false}};
}

std::vector<NamedOutput> named_gradients(const Outputs& outputs) {
  if (outputs.dq.bytes().empty() && outputs.dk.bytes().empty() && outputs.dv.bytes().empty()) {
    return {};
  }
  return {{"dq", &outputs.dq, false}, {"dk", &outputs.dk, true}, {"dv", &outputs.dv, true}};
}

std::vector<NamedOutput> named_outputs(const Outputs& outputs) {
  std::vector<NamedOutput> all = named_forward(outputs);
  const std::vector<NamedOutput> gradients = named_gradients(outputs);
  all.insert(all.end(), gradients.begin(), gradients.end());
  return all;
}

std::uint64_t poison_bits(Format format) {
  switch (format) {
    case Format::f64: return 0x7ffadeadbeefcafe;
    case Format::f32: return 0x7fdeadbe;
    case Format::f16: return 0x7eda;
    case Format::bf16: return 0x7fde;
    case Format::tf32: return 0x7fdea000;
    case Format::e4m3: return 0xff;  // of two NaNs the one that no conversion of a NaN gives
    case Format::e5m2: return 0x7d;
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

Outputs poisoned_outputs(const Problem& p) {
  Outputs outputs{poisoned(p.out, p.o_extents()), poisoned(Format::f32, p.lse_extents())};
  if (p.pass == Pass::bwd) {
    outputs.dq = poisoned(p.out, p.q_extents());
    outputs.dk = poisoned(p.out, p.k_extents());
    outputs.dv = poisoned(p.out, p.v_extents());
  }
  return outputs;
}

std::string first_unwritten(const Problem& problem, std::span<const NamedOutput> outputs) {
  for (const NamedOutput& named : outputs) {
    const ConstTensorView view = named.tensor->view();
    const std::uint64_t poison = poison_bits(view.format);
    for (Index b = 0; b < view.extents[0]; ++b) {
      const Index rows = named.by_keys ? problem.live_keys(b) : problem.live_queries(b);
      for (Index h = 0; h < view.extents[1]; ++h) {
        for (Index row = 0; row < rows; ++row) {
          for (Index column = 0; column < view.extents[3]; ++column) {
            if (view.bits(b, h, row, column) == poison) return place_in(named, b, h, row, column);
          }
        }
      }
    }
  }
  return {};
}

Execution execute(const Subject& subject, const Problem& problem, const Inputs& inputs,
                  const RunSettings& settings) {
  check_call(subject, problem, inputs, settings);
  Execution execution{{}, poisoned_outputs(problem)};
  Outputs& outputs = execution.outputs;
  execution.outcome = caught([&] {
    return subject.run(problem, {inputs.q.view(), inputs.k.view(), inputs.v.view()},
                       {outputs.o.view(), outputs.lse.view()}, settings);
  });
  execution.memory.forward = execution.outcome.memory;
  if (problem.pass == Pass::bwd && execution.outcome.kind == RunOutcome::Kind::ran) {
    execution.outcome = run_backward(subject, problem, inputs, outputs, settings);
    execution.memory.backward = execution.outcome.memory;
  }
  return execution;
}

Execution execute_backward(const Subject& subject, const Problem& problem, const Inputs& inputs,
                           const Outputs& stored, const RunSettings& settings) {
  check_call(subject, problem, inputs, settings);
  ATTEST_EXPECTS(problem.pass == Pass::bwd);
  Execution execution{{}, poisoned_outputs(problem)};
  execution.outputs.o = stored.o;
  execution.outputs.lse = stored.lse;
  execution.outcome = run_backward(subject, problem, inputs, execution.outputs, settings);
  execution.memory.backward = execution.outcome.memory;
  return execution;
}

}  // namespace attest
