#include "properties/probing/prober.hpp"

#include "properties/probing/variants.hpp"

namespace attest {

Trial Prober::attempt(const Attempt& one) {
  if (!defect_of(one.c.problem).empty()) return Trial::declined;
  ++needs_.runs;
  return trial_(one);
}

Trial Prober::attempt(const Problem& problem, Inputs values) {
  return attempt({{problem, std::move(values)}, failing_.unit, failing_.schedule_seed});
}

Trial Prober::attempt_shape(const Problem& problem) {
  Trial ending = Trial::declined;
  // Is there anything left to try?
  const auto goes_on = [&](Trial trial) {
    if (trial != Trial::declined) ending = trial;
    return trial != Trial::fails && !out_of_time();
  };
  for (const Filling filling : {Filling::repeated, Filling::zeros}) {
    if (!goes_on(attempt(problem, reshaped(values_, problem, filling)))) return ending;
  }
  if (drawn_) {
    (void)goes_on(attempt({{problem, *drawn_}, failing_.unit, failing_.schedule_seed}));
  }
  return ending;
}

}  // namespace attest
