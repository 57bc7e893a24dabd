#include "properties/covering/run_pairs.hpp"

#include <algorithm>

#include "properties/covering/cells.hpp"
#include "properties/covering/constraint.hpp"

namespace attest {
namespace {

std::string parts_of(const Numerics& numerics, const Problem& problem) {
  const Index part = std::max(numerics.part_k.value_or(16), Index{1});
  const Index parts = (problem.n_k + part - 1) / part;
  return parts < 3 ? (parts < 2 ? "one" : "two") : "more";
}

}  // namespace

std::vector<std::string> run_features_of(const Subject& subject, const Problem& problem,
                                         Unit unit) {
  const Numerics numerics = subject.numerics(problem, unit);
  std::vector<std::string> run = {"unit=" + std::string(name_of(unit))};
  if (numerics.split && numerics.split->partial) {
    run.push_back("parts=" + parts_of(numerics, problem));
  }
  const bool fixed = numerics.dq_sum && numerics.dq_sum->kind != DqSum::Kind::atomic;
  if (problem.pass == Pass::bwd) run.emplace_back(fixed ? "sums=in order" : "sums=in any order");
  return run;
}

void RunPairs::meet(const std::vector<std::string>& run, const Features& features) {
  for (const std::string& of : run) {
    Met& met = met_[of];
    for (std::size_t n = 0; n < features.size(); ++n) {
      if (features[n] != kOpen) met[n] |= std::uint32_t{1} << features[n];
    }
  }
}

std::map<std::string, RunPairs::Count> RunPairs::counts() const {
  std::map<std::string, Count> counts;
  for (const auto& [run, met] : met_) {
    Count& count = counts[run];
    for (std::size_t n = 0; n < met.size(); ++n) {
      const std::size_t values = names_of(static_cast<Parameter>(n)).values.size();
      for (std::size_t value = 0; value < values; ++value) {
        Features one = all_open();
        one[n] = static_cast<std::int8_t>(value);
        if (constraint_on(pass_, one) != nullptr) continue;
        ++count.pairs;
        if ((met[n] >> value & 1) != 0) {
          ++count.met;
        } else {
          count.never.push_back(text_of(one));
        }
      }
    }
  }
  return counts;
}

}  // namespace attest
