// What a verdict costs: nanoseconds for each element of O, and for each pair of a row and a key
// backward, beside what the oracle's answer costs in the same run.
//
// The peer is what a budget replaces: |observed - exact| held against one constant, element by
// element.
#include <benchmark/benchmark.h>

#include <cmath>

#include "bench/heads.hpp"
#include "judge/judge_backward.hpp"
#include "judge/judge_forward.hpp"
#include "kernels/canaries/plain.hpp"
#include "oracle/enclose_backward.hpp"
#include "oracle/enclose_forward.hpp"
#include "oracle/enclose_in_binary64.hpp"

namespace attest {
namespace {

// One head that `plain` has computed.
struct Computed {
  Computed(Index n, Pass pass)
      : head(n, pass),
        o(head.problem.out, head.problem.o_extents()),
        lse(Format::f32, head.problem.lse_extents()),
        dq(head.problem.out, head.problem.q_extents()),
        dk(head.problem.out, head.problem.k_extents()),
        dv(head.problem.out, head.problem.v_extents()) {
    const Inputs& x = head.inputs;
    (void)plain->run(head.problem, {x.q.view(), x.k.view(), x.v.view()}, {o.view(), lse.view()},
                     {});
    if (pass == Pass::fwd) return;
    (void)plain->run_backward(head.problem,
                              {x.q.view(), x.k.view(), x.v.view(), std::as_const(o).view(),
                               std::as_const(lse).view(), x.dout.view()},
                              {dq.view(), dk.view(), dv.view()}, {});
  }

  [[nodiscard]] Judgement judge(const Answer& answer) const {
    return judge_forward(head.problem, answer, plain->numerics(head.problem, Unit::fp32_seq),
                         plain->semantics(), o.view(), lse.view(), Rows::live);
  }
  [[nodiscard]] Judgement judge(const Answer& answer, const BackwardAnswer& gradients) const {
    return judge_backward(head.problem, head.inputs, answer, gradients, View::end_to_end,
                          plain->numerics(head.problem, Unit::fp32_seq), plain->semantics(),
                          {dq.view(), dk.view(), dv.view()}, Rows::live);
  }

  GaussianHead head;
  std::unique_ptr<Subject> plain = make_plain("plain");
  Tensor o, lse, dq, dk, dv;
};

// Element by element against one constant.
double seconds_of_constant(const Computed& computed, const Answer& answer) {
  const ConstTensorView o = computed.o.view();
  const Problem& p = computed.head.problem;
  return best_seconds(10, [&] {
    Index accepted = 0;
    std::size_t element = 0;
    for (Index i = 0; i < p.n_q; ++i) {
      for (Index k = 0; k < p.d_v; ++k, ++element) {
        const double middle = answer.o[element].lo / 2 + answer.o[element].hi / 2;
        accepted += std::fabs(o.value(0, 0, i, k) - middle) <= 1e-2;
      }
    }
    benchmark::DoNotOptimize(accepted);
  });
}

void judge_o(benchmark::State& state, bool loose) {
  const Computed computed(state.range(0), Pass::fwd);
  const Problem& p = computed.head.problem;
  const auto enclose = [&] {
    return loose ? enclose_in_binary64(p, computed.head.inputs)
                 : enclose_forward(p, computed.head.inputs);
  };
  const Answer answer = enclose();
  double seconds = 0;
  for (auto _ : state) {
    seconds = best_seconds(5, [&] { benchmark::DoNotOptimize(computed.judge(answer)); });
  }
  const double oracle = best_seconds(loose ? 5 : 1, [&] { benchmark::DoNotOptimize(enclose()); });
  state.counters["ns_an_element"] = 1e9 * seconds / static_cast<double>(p.n_q * p.d_v);
  state.counters["of_constant"] = seconds / seconds_of_constant(computed, answer);
  state.counters["of_oracle"] = seconds / oracle;
}
BENCHMARK_CAPTURE(judge_o, binary64, true)->ArgName("n")->Arg(256)->Arg(1024)->Iterations(1);
BENCHMARK_CAPTURE(judge_o, multiprecision, false)->ArgName("n")->Arg(256)->Iterations(1);

void judge_gradients(benchmark::State& state) {
  const Computed computed(state.range(0), Pass::bwd);
  const Problem& p = computed.head.problem;
  const Answer answer = enclose_forward(p, computed.head.inputs);
  const BackwardAnswer gradients = enclose_backward(p, computed.head.inputs);
  double seconds = 0;
  for (auto _ : state) {
    seconds = best_seconds(5, [&] { benchmark::DoNotOptimize(computed.judge(answer, gradients)); });
  }
  const double by_weights = best_seconds(3, [&] {
    benchmark::DoNotOptimize(enclose_backward_by_weights(p, computed.head.inputs, gradients));
  });
  state.counters["ns_a_pair"] = 1e9 * seconds / static_cast<double>(p.n_q * p.n_k);
  state.counters["of_binary64_oracle"] = seconds / by_weights;
}
BENCHMARK(judge_gradients)->ArgName("n")->Arg(64)->Arg(256)->Iterations(1);

}  // namespace
}  // namespace attest
