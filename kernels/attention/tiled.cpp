#include "kernels/attention/tiled.hpp"

#include <algorithm>
#include <utility>

#include "kernels/attention/forward_limits.hpp"
#include "kernels/attention/tile_plan.hpp"
#include "kernels/attention/tiled_backward.hpp"
#include "kernels/attention/tiled_forms.hpp"
#include "kernels/attention/tiled_instances.hpp"
#include "kernels/machine/exp2_poly.hpp"
#include "kernels/machine/log_poly.hpp"

namespace attest {
namespace {

// What the machine's exp2 may do within ex2.approx's documented 2 ulp (PTX ISA).
constexpr double kApproxUlps = 2;

constexpr std::string_view kAtomic = "variant/tiled-atomic-dq";

struct ApproximateForm {
  std::string_view suffix;
  std::string_view about;
  Exp2Model model;
};

constexpr ApproximateForm kApproximateForms[] = {
    {"", ", here pseudo-random within 2 ulp", {Exp2Model::Kind::random, kApproxUlps}},
    {"-exact", ", here correctly rounded", {Exp2Model::Kind::exact_rn}},
    {"-high", ", here always 2 ulp too large", {Exp2Model::Kind::worst_high, kApproxUlps}},
    {"-low-ftz",
     ", here always 2 ulp too small, flushed",
     {Exp2Model::Kind::worst_low, kApproxUlps, true}},
};

Numerics numerics_of(const TiledConfig& config, const Exp2Model& exp2, const Problem& problem) {
  const int head_dim = padded_head_dim(static_cast<int>(std::max(problem.d_qk, problem.d_v)));
  Numerics n = machine_numerics(problem);
  n.s_store = ScoreStore::none;
  n.exponent = config.exponent;
  n.exp2 = config.approximate ? relative_error(exp2) : kExp2PolyError;
  n.exp_ftz = config.approximate ? exp2.flush : true;
  n.p_normalised = PNormalised::after_pv;
  n.l_from = config.l_from;
  n.l_chain = LChain{4};
  n.tile_k = plan_for(head_dim, config.most_warps, config.most_keys).keys;
  n.log = config.approximate ? LogError{true, 0} : LogError{false, kLogPolyError};
  return n;
}

template <int kForm>
EmulatedForm form_of(std::string name, Exp2Model exp2) {
  EmulatedForm form;
  form.name = std::move(name);
  form.run = run_tiled_form<kForm>;
  form.declines = beyond_forward_kernels;
  form.numerics = [exp2](const Problem& problem) {
    return numerics_of(kTiledForms[kForm].config, exp2, problem);
  };
  form.exp2 = exp2;
  return form;
}

// The subject of a forward's row, with the backward of that name if there is one.
template <int kForm>
DescribedSubject subject_of(std::string name, std::string about, std::string_view backward,
                            const Exp2Model& exp2) {
  EmulatedForm form = form_of<kForm>(std::move(name), exp2);
  add_backward(form, backward);
  return {std::move(about), std::make_unique<EmulatedSubject>(std::move(form))};
}

TilePlan plan_of(const TiledConfig& config, const Problem& problem) {
  const int head_dim = padded_head_dim(static_cast<int>(std::max(problem.d_qk, problem.d_v)));
  return plan_for(head_dim, config.most_warps, config.most_keys);
}

// "tile=64x16": queries and keys.
std::string tile_name(const TilePlan& plan) {
  return "tile=" + std::to_string(plan.queries()) + "x" + std::to_string(plan.keys);
}

// Rows of the table that differ from the first one in their tile alone, where they do.
template <int... kForms>
std::vector<EmulatedForm> other_tiles(const Problem& problem, std::string_view backward) {
  std::vector<EmulatedForm> forms;
  const auto add = [&](EmulatedForm form, const TiledConfig& config) {
    const TilePlan plan = plan_of(config, problem);
    form.name = tile_name(plan);
    const bool is_own = plan == plan_of(kTiledForms[0].config, problem);
    const bool is_new = std::ranges::find(forms, form.name, &EmulatedForm::name) == forms.end();
    if (is_own || !is_new) return;
    add_backward(form, backward);
    forms.push_back(std::move(form));
  };
  (add(form_of<kForms>("", {}), kTiledForms[kForms].config), ...);
  return forms;
}

// `tiled`, or what differs from it in the backward alone: other tiles of the forward, and for a
// backward the other way to sum dQ.
DescribedSubject tiled_with(std::string_view name, std::string about,
                            std::string_view other_backward, std::string_view other_name) {
  EmulatedForm form = form_of<0>(std::string(name), {});
  add_backward(form, name);
  form.configurations = [=](const Problem& problem) {
    constexpr int k16Keys = 5, k32Queries = 6;
    static_assert(kTiledForms[k16Keys].config == TiledConfig{.most_keys = 16});
    static_assert(kTiledForms[k32Queries].config == TiledConfig{.most_warps = 2, .most_keys = 32});
    std::vector<EmulatedForm> forms = other_tiles<k16Keys, k32Queries>(problem, name);
    if (problem.pass == Pass::bwd) {
      forms.push_back(form_of<0>(std::string(other_name), {}));
      add_backward(forms.back(), other_backward);
    }
    return forms;
  };
  return {std::move(about), std::make_unique<EmulatedSubject>(std::move(form))};
}

template <int kForm>
void add_form(std::vector<DescribedSubject>& all) {
  constexpr const TiledForm& kThis = kTiledForms[kForm];
  const auto add = [&](std::string_view suffix, std::string_view about, const Exp2Model& exp2) {
    all.push_back(subject_of<kForm>(std::string(kThis.name) + std::string(suffix),
                                    std::string(kThis.about) + std::string(about), kThis.name,
                                    exp2));
  };
  if constexpr (kForm == 0) {
    all.push_back(tiled_with(kThis.name, std::string(kThis.about), kAtomic, "dq=atomic"));
  } else if constexpr (kThis.config.approximate) {
    for (const auto& [suffix, about, model] : kApproximateForms) add(suffix, about, model);
  } else {
    add("", "", {});
  }
}

std::optional<std::string> beyond_faulty_forms(const Problem& problem) {
  if (std::max(problem.d_qk, problem.d_v) > kFaultyHeadDim) {
    return "forms that are wrong on purpose come for head dimensions up to 64";
  }
  return beyond_forward_kernels(problem);
}

DescribedSubject faulty(const TiledForm& made, decltype(EmulatedForm::run) run) {
  EmulatedForm form;
  form.name = made.name;
  form.run = std::move(run);
  form.declines = beyond_faulty_forms;
  form.numerics = [&made](const Problem& problem) { return numerics_of(made.config, {}, problem); };
  return {std::string(made.about), std::make_unique<EmulatedSubject>(std::move(form))};
}

// add<0>, add<1>, ...
template <int... kForms>
std::vector<DescribedSubject> all_forms(std::integer_sequence<int, kForms...>) {
  std::vector<DescribedSubject> all;
  (add_form<kForms>(all), ...);
  return all;
}

template <int... kForms>
std::vector<DescribedSubject> all_faults(std::integer_sequence<int, kForms...>) {
  std::vector<DescribedSubject> all;
  (all.push_back(faulty(kMachineFaults[kForms], run_machine_fault<kForms>)), ...);
  return all;
}

}  // namespace

std::vector<DescribedSubject> tiled_subjects() {
  std::vector<DescribedSubject> all = all_forms(std::make_integer_sequence<int, kTiledFormCount>());
  all.push_back(tiled_with(kAtomic, "tiled with a backward that sums dQ by atomic additions",
                           kTiledForms[0].name, "dq=one-chain"));
  return all;
}

std::vector<DescribedSubject> tiled_canaries() {
  static_assert(kTiledCanaryCount == 1);
  std::vector<DescribedSubject> all;
  all.push_back(faulty(kTiledCanaries[0], run_tiled_canary<0>));
  return all;
}

std::vector<DescribedSubject> machine_fault_subjects() {
  return all_faults(std::make_integer_sequence<int, kMachineFaultCount>());
}

}  // namespace attest
