#include "kernels/attention/split.hpp"

#include <set>
#include <utility>

#include "kernels/attention/forward_limits.hpp"
#include "kernels/attention/split_instances.hpp"
#include "kernels/attention/split_plan.hpp"
#include "kernels/machine/exp2_poly.hpp"
#include "kernels/machine/log_poly.hpp"

namespace attest {
namespace {

// Values of partial outputs in memory; the emulator keeps who touched each.
constexpr Index kMostPartials = Index{1} << 24;

// Parts that one may tell a form to take: the merging kernel visits each of them in each row.
constexpr Index kMostToldParts = 64;

constexpr Index kMostBlocks = (Index{1} << 31) - 1;  // of a launch

std::optional<std::string> beyond_partials(const Problem& p, const SplitPlan& plan) {
  // Both fit a double exactly wherever they are near their limits.
  const double rows = static_cast<double>(p.batch) * static_cast<double>(p.heads_q) *
                      static_cast<double>(p.n_q) * static_cast<double>(plan.parts);
  if (rows * static_cast<double>(p.d_v) > static_cast<double>(kMostPartials)) {
    return "the kernel keeps partial outputs of up to " + std::to_string(kMostPartials) +
           " values, parts b hq nq dv";
  }
  if (rows > static_cast<double>(kMostBlocks)) return "the kernel has too many blocks";
  return std::nullopt;
}

// All online kernels of the machine but for their tile and their parts.
Numerics numerics_of(const SplitConfig& config, const Problem& problem, Index tile_k,
                     const SplitPlan& plan) {
  Numerics n = machine_numerics(problem);
  n.s_store = ScoreStore::none;
  n.exponent = Exponent::difference_first;
  n.exp2 = kExp2PolyError;
  n.exp_ftz = true;
  n.p_normalised = PNormalised::after_pv;
  n.l_from = LFrom::unrounded;
  n.l_chain = LChain{4};
  n.tile_k = tile_k;
  n.log = LogError{false, kLogPolyError};
  n.split = SplitKeys{config.narrow ? problem.in : Format::f32};
  n.part_k = plan.part_k;
  n.combine = config.combine;
  return n;
}

DescribedSubject described(const SplitForm& made, EmulatedForm form) {
  form.name = made.name;
  return {std::string(made.about), std::make_unique<EmulatedSubject>(std::move(form))};
}

// What computes and declares; its name and its configurations are open.
EmulatedForm form_of(const SplitConfig& config) {
  EmulatedForm form;
  form.run = [config](Emulator& machine, const Problem& problem, const ForwardInputs& inputs,
                      const ForwardOutputs& outputs) {
    run_split_emulated(machine, config, problem, inputs, outputs);
  };
  form.declines = [config](const Problem& problem) { return beyond_split(config, problem); };
  form.numerics = [config](const Problem& problem) { return split_numerics(config, problem); };
  return form;
}

// One part, few, a prime that seldom divides the tiles, a part a tile, and more parts than tiles.
std::vector<EmulatedForm> told_parts(const SplitConfig& own, const Problem& p) {
  const Index tiles = told_parts_plan(p, 1).part_k / tiled_keys(p);
  std::vector<EmulatedForm> forms;
  for (const Index parts : std::set<Index>{1, 2, 3, 7, tiles, tiles + 3}) {
    SplitConfig config = own;
    config.parts = static_cast<int>(parts);
    if (parts > kMostToldParts || plan_of(own, p) == plan_of(config, p)) continue;
    if (beyond_split(config, p)) continue;
    forms.push_back(form_of(config));
    forms.back().name = "parts=" + std::to_string(parts);
  }
  return forms;
}

DescribedSubject split_subject(const SplitForm& made) {
  EmulatedForm form = form_of(made.config);
  form.configurations = [config = made.config](const Problem& problem) {
    return told_parts(config, problem);
  };
  return described(made, std::move(form));
}

DescribedSubject decode_subject() {
  EmulatedForm form;
  form.run = run_decode_emulated;
  form.declines = beyond_decode;
  form.numerics = decode_numerics;
  return described(kDecodeForm, std::move(form));
}

}  // namespace

std::optional<std::string> beyond_split(const SplitConfig& config, const Problem& p) {
  if (auto beyond = beyond_forward_kernels(p)) return beyond;
  return beyond_partials(p, plan_of(config, p));
}

std::optional<std::string> beyond_decode(const Problem& p) {
  if (p.n_q > kMostDecodeQueries) {
    return "the kernel takes nq up to " + std::to_string(kMostDecodeQueries) + ", not " +
           std::to_string(p.n_q);
  }
  if (auto beyond = beyond_forward_kernels(p)) return beyond;
  return beyond_partials(p, decode_plan(p));
}

Numerics split_numerics(const SplitConfig& config, const Problem& problem) {
  return numerics_of(config, problem, tiled_keys(problem), plan_of(config, problem));
}

Numerics decode_numerics(const Problem& problem) {
  return numerics_of(kDecodeForm.config, problem, kDecodeTileKeys, decode_plan(problem));
}

std::vector<DescribedSubject> split_subjects() {
  std::vector<DescribedSubject> all;
  for (const SplitForm& form : kSplitForms) all.push_back(split_subject(form));
  all.push_back(decode_subject());
  return all;
}

}  // namespace attest
