// runs.hpp - inputs and runs for the tests of kernels.
#pragma once

#include <cmath>
#include <initializer_list>

#include "core/case.hpp"
#include "core/random.hpp"
#include "core/subject.hpp"

namespace attest {

struct Result {
  Tensor o;
  Tensor lse;
  friend bool operator==(const Result&, const Result&) = default;
};

inline Result run(const Subject& subject, const Problem& p, const Inputs& inputs,
                  const RunSettings& settings = {}) {
  Result result{Tensor(p.out, p.o_extents()), Tensor(Format::f32, p.lse_extents())};
  for (Tensor* tensor : {&result.o, &result.lse}) {
    std::fill(tensor->bytes().begin(), tensor->bytes().end(), std::byte{0xff});  // NaN everywhere
  }
  const auto outcome = subject.run(p, {inputs.q.view(), inputs.k.view(), inputs.v.view()},
                                   {result.o.view(), result.lse.view()}, settings);
  ATTEST_EXPECTS(outcome.kind == RunOutcome::Kind::ran);
  return result;
}

struct GradientTensors {
  Tensor dq;
  Tensor dk;
  Tensor dv;
  friend bool operator==(const GradientTensors&, const GradientTensors&) = default;
};

// From an O and an LSE as given.
inline GradientTensors run_backward(const Subject& subject, const Problem& p, const Inputs& inputs,
                                    const Result& forward, const RunSettings& settings = {}) {
  GradientTensors result{Tensor(p.out, p.q_extents()), Tensor(p.out, p.k_extents()),
                         Tensor(p.out, p.v_extents())};
  for (Tensor* tensor : {&result.dq, &result.dk, &result.dv}) {
    std::fill(tensor->bytes().begin(), tensor->bytes().end(), std::byte{0xff});
  }
  BackwardInputs in{inputs.q.view(),  inputs.k.view(),    inputs.v.view(),
                    forward.o.view(), forward.lse.view(), inputs.dout.view()};
  if (p.lse_gradient) in.glse = inputs.glse.view();
  const auto outcome =
      subject.run_backward(p, in, {result.dq.view(), result.dk.view(), result.dv.view()}, settings);
  ATTEST_EXPECTS(outcome.kind == RunOutcome::Kind::ran);
  return result;
}

// From its own forward.
inline GradientTensors run_backward(const Subject& subject, const Problem& p,
                                    const Inputs& inputs) {
  return run_backward(subject, p, inputs, run(subject, p, inputs));
}

// Calls visit(b, h, row, column) for every element.
template <class Visit>
void for_each(const Extents& extents, Visit visit) {
  for (Index b = 0; b < extents[0]; ++b)
    for (Index h = 0; h < extents[1]; ++h)
      for (Index row = 0; row < extents[2]; ++row)
        for (Index column = 0; column < extents[3]; ++column) visit(b, h, row, column);
}

inline void set(Tensor& tensor, Index b, Index h, Index row, Index column, double value) {
  tensor.view().set_bits(b, h, row, column, round_to_bits(tensor.format(), value));
}

inline void fill(Tensor& tensor, double value) {
  for_each(tensor.extents(), [&](Index b, Index h, Index row, Index column) {
    set(tensor, b, h, row, column, value);
  });
}

inline void fill_gaussian(Tensor& tensor, std::uint32_t id, std::uint64_t seed) {
  for_each(tensor.extents(), [&](Index b, Index h, Index row, Index column) {
    const auto at = [](Index x) { return static_cast<std::uint32_t>(x); };
    set(tensor, b, h, row, column, gaussian(seed, {id, at(b), at(h), at(row), at(column)}));
  });
}

inline Inputs gaussian_inputs(const Problem& p, std::uint64_t seed) {
  Inputs inputs = zero_inputs(p);
  fill_gaussian(inputs.q, kTensorQ, seed);
  fill_gaussian(inputs.k, kTensorK, seed);
  fill_gaussian(inputs.v, kTensorV, seed);
  if (p.pass == Pass::bwd) fill_gaussian(inputs.dout, kTensorDout, seed);
  if (p.lse_gradient) fill_gaussian(inputs.glse, kTensorGlse, seed);
  return inputs;
}

// One head with d = 1, q = 1 and scale = 1, so that the scores are the keys.
inline Problem scored_problem(Index n_k, Format format = Format::f16) {
  Problem p;
  p.n_k = n_k;
  p.in = format;
  p.out = format;
  return p;
}

// Scores as given; v_j = j + 1.
inline Inputs scored_inputs(const Problem& p, std::initializer_list<double> scores) {
  ATTEST_EXPECTS(p.d_qk == 1 && static_cast<Index>(scores.size()) == p.n_k);
  Inputs inputs = zero_inputs(p);
  fill(inputs.q, 1);
  Index j = 0;
  for (const double score : scores) {
    set(inputs.k, 0, 0, j, 0, score);
    set(inputs.v, 0, 0, j, 0, static_cast<double>(j + 1));
    ++j;
  }
  return inputs;
}

}  // namespace attest
