#include "kernels/attention/materialising.hpp"

#include <algorithm>
#include <utility>

#include "kernels/attention/forward_limits.hpp"
#include "kernels/attention/materialising_forms.hpp"
#include "kernels/attention/materialising_instances.hpp"
#include "kernels/attention/materialising_run.hpp"
#include "kernels/machine/exp2_poly.hpp"
#include "kernels/machine/log_poly.hpp"

namespace attest {
namespace {

// Pairs of a query and a key, over all heads: 6 bytes each in memory, and far more where the
// emulator keeps who touched them.
constexpr Index kMostPairs = Index{1} << 24;

constexpr Index kStepKeys = 16;  // the depth of a tile product

ScoreStore score_store(const MaterialisingConfig& config, Format in) {
  if (!config.narrow_scores) return ScoreStore::f32;
  return in == Format::f16 ? ScoreStore::f16 : ScoreStore::bf16;
}

// The softmax sees a whole row at once, under one maximum and without a rescaling: one tile. P V
// then goes over it in one chain of products whose steps start at multiples of 16 keys, and the
// tile's end is rounded up to the last step's.
Index one_tile(Index n_k) {
  return std::max<Index>(1, (n_k + kStepKeys - 1) / kStepKeys) * kStepKeys;
}

Numerics numerics_of(const MaterialisingConfig& config, const Problem& problem) {
  Numerics n = machine_numerics(problem);
  n.s_store = score_store(config, problem.in);
  n.exponent = Exponent::difference_first;
  n.exp2 = kExp2PolyError;
  n.exp_ftz = true;
  n.p_normalised = PNormalised::before_pv;
  n.l_from = LFrom::unrounded;
  n.l_chain = LChain{kWarpSize};
  n.tile_k = one_tile(problem.n_k);
  n.log = LogError{false, kLogPolyError};
  return n;
}

template <int kForm>
DescribedSubject subject_of() {
  constexpr const MaterialisingForm& kThis = kMaterialisingForms[kForm];
  EmulatedForm form;
  form.name = kThis.name;
  form.run = run_materialising_form<kForm>;
  form.declines = beyond_materialising;
  form.numerics = [](const Problem& problem) { return numerics_of(kThis.config, problem); };
  return {std::string(kThis.about), std::make_unique<EmulatedSubject>(std::move(form))};
}

template <int... kForms>
std::vector<DescribedSubject> all_forms(std::integer_sequence<int, kForms...>) {
  std::vector<DescribedSubject> all;
  (all.push_back(subject_of<kForms>()), ...);
  return all;
}

}  // namespace

std::optional<std::string> beyond_materialising(const Problem& p) {
  if (p.n_k > kMostMaterialisedKeys) {
    return "the kernel holds a row of scores on chip and takes nk up to " +
           std::to_string(kMostMaterialisedKeys) + ", not " + std::to_string(p.n_k);
  }
  if (auto beyond = beyond_forward_kernels(p)) return beyond;
  // Fits a double exactly wherever it is near the limit.
  const double pairs = static_cast<double>(p.batch) * static_cast<double>(p.heads_q) *
                       static_cast<double>(p.n_q) * static_cast<double>(p.n_k);
  if (pairs > static_cast<double>(kMostPairs)) {
    return "the kernel keeps scores of up to " + std::to_string(kMostPairs) +
           " pairs of a query and a key, b hq nq nk";
  }
  return std::nullopt;
}

std::vector<DescribedSubject> materialising_subjects() {
  return all_forms(std::make_integer_sequence<int, kMaterialisingFormCount>());
}

}  // namespace attest
