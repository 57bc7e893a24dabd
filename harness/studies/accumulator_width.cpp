#include "harness/studies/accumulator_width.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "harness/subjects/catalogue.hpp"
#include "judge/judge_forward.hpp"
#include "oracle/enclose_forward.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr Index kLongest = 8192;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One kernel, but for the accumulator; both add key by key.
constexpr std::array<std::pair<const char*, bool>, 2> kKernels = {
    {{"plain", true}, {"canary/m23-f16-accumulator", false}}};

const Subject& subject_named(const char* name) {
  const std::array<std::string, 1> specs = {name};
  return *resolve_subjects(specs).front();
}

Problem problem_of(AccumulatedData data, Format format, Index keys) {
  Problem p;
  p.n_k = keys;
  p.in = p.out = format;
  if (data == AccumulatedData::gaussian) {
    p.n_q = 8;
    p.d_qk = 32;
    p.d_v = 8;
  }
  p.scale = default_scale(p.d_qk);
  return p;
}

// Equal scores: q is 0.
Inputs inputs_of(AccumulatedData data, const Problem& p) {
  if (data == AccumulatedData::gaussian) return materialise({p, FamilyData{"F0", kSeed}});
  Inputs inputs = zero_inputs(p);
  const double v = data == AccumulatedData::equal_v_100 ? 100 : 1;
  for (Index j = 0; j < p.n_k; ++j) {
    inputs.v.view().set_bits(0, 0, j, 0, round_to_bits(p.in, v));
  }
  return inputs;
}

}  // namespace

std::string_view name_of(AccumulatedData data) {
  switch (data) {
    case AccumulatedData::equal_v_100: return "equal scores, V = 100";
    case AccumulatedData::equal_v_1: return "equal scores, V = 1";
    case AccumulatedData::gaussian: return "Gaussian q, k and v";
  }
  return "";
}

std::vector<AccumulatorPoint> accumulate(AccumulatedData data, Index keys) {
  std::vector<AccumulatorPoint> points;
  for (const Format format : {Format::f16, Format::bf16}) {
    const Problem problem = problem_of(data, format, keys);
    const Inputs inputs = inputs_of(data, problem);
    const Answer answer = enclose_forward(problem, inputs);
    for (const auto& [name, wide] : kKernels) {
      const Subject& subject = subject_named(name);
      const RunSettings settings;
      const Execution run = execute(subject, problem, inputs, settings);
      const TensorJudgement o =
          judge_forward(problem, answer, subject.numerics(problem, settings.unit),
                        subject.semantics(), run.outputs.o.view(), run.outputs.lse.view(),
                        Rows::live)
              .o;
      const double error = std::isfinite(o.worst->observed) ? o.worst->error : kInfinity;
      points.push_back(
          {data, format, wide, keys, o.worst->verdict, o.judged, o.rejected, error, o.worst_ratio});
    }
  }
  return points;
}

std::vector<StudyFile> make_accumulator_width() {
  std::vector<AccumulatorPoint> points;
  for (const AccumulatedData data :
       {AccumulatedData::equal_v_100, AccumulatedData::equal_v_1, AccumulatedData::gaussian}) {
    for (Index keys = 16; keys <= kLongest; keys *= 2) {
      for (const AccumulatorPoint& point : accumulate(data, keys)) points.push_back(point);
    }
  }
  return {{"README.md", accumulator_page(points)},
          {"data.csv", accumulator_csv(points)},
          {"plot.svg", accumulator_plot(points)}};
}

}  // namespace attest
