// What a worker costs: the same kernel on the same small case at home and in a worker, where a run
// is four calls, and the start of a worker.
#include <benchmark/benchmark.h>

#include "core/case.hpp"
#include "harness/subjects/choice.hpp"
#include "harness/subjects/isolated_subject.hpp"
#include "kernels/canaries/plain.hpp"

namespace attest {
namespace {

constexpr int kCallsOfARun = 4;

Problem problem_of(Index n) {
  Problem p;
  p.n_q = p.n_k = n;
  p.d_qk = p.d_v = 64;
  return p;
}

void run_once(const Subject& subject, const Problem& p, const Inputs& inputs, Tensor& o,
              Tensor& lse) {
  const RunOutcome outcome = subject.run(p, {inputs.q.view(), inputs.k.view(), inputs.v.view()},
                                         {o.view(), lse.view()}, {Unit::fp32_seq});
  if (outcome.kind != RunOutcome::Kind::ran) std::abort();
}

void time_runs(benchmark::State& state, const Subject& subject, int calls) {
  const Problem p = problem_of(state.range(0));
  const Inputs inputs = zero_inputs(p);
  Tensor o(p.out, p.o_extents()), lse(Format::f32, p.lse_extents());
  run_once(subject, p, inputs, o, lse);  // starts the workers
  for (auto _ : state) {
    for (int n = 0; n < calls; ++n) run_once(subject, p, inputs, o, lse);
  }
}

// As many calls as an isolated run makes: the difference of the two is what four calls cost more.
void BM_FourRunsAtHome(benchmark::State& state) {
  time_runs(state, *make_plain("plain"), kCallsOfARun);
}
BENCHMARK(BM_FourRunsAtHome)->Arg(1)->Arg(64)->Arg(512)->UseRealTime();

void BM_OneRunInWorkers(benchmark::State& state) {
  const auto plain = make_plain("plain");
  const auto calls = std::make_shared<IsolatedCalls>(
      WorkerPlan{ATTEST_WORKER_PROGRAM, {"bundled"}, std::chrono::seconds(60)});
  time_runs(state, *isolated(*plain, calls), 1);
}
BENCHMARK(BM_OneRunInWorkers)->Arg(1)->Arg(64)->Arg(512)->UseRealTime();

// From its start to its first reply.
void BM_StartOfAWorker(benchmark::State& state) {
  const WorkerPlan plan{ATTEST_WORKER_PROGRAM, {"bundled"}, std::chrono::seconds(60)};
  for (auto _ : state) {
    Worker worker(plan, 0);
    worker.send({});
    WorkerReply reply;
    if (worker.receive(reply).kind != RunOutcome::Kind::ran) std::abort();
  }
}
BENCHMARK(BM_StartOfAWorker)->UseRealTime();

}  // namespace
}  // namespace attest
