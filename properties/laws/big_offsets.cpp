// big_offsets: outputs do not change by a bit when batch entries, or heads, lie 3 * 2^31 + 8
// elements apart, so no offset is computed in 32 bits. All tensors at once; if that fails, one at a
// time, to name the first that does it alone. A backward starts from the O and LSE at hand.
#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/promised_rows.hpp"
#include "properties/laws/sparse_tensor.hpp"

namespace attest {
namespace {

// What one call of the subject reads and writes, in this order.
enum Place : std::size_t { kQ, kK, kV, kO, kLse, kDout, kGlse, kDq, kDk, kDv, kPlaces };
constexpr const char* kNames[kPlaces] = {"q",    "k",    "v",  "o",  "lse",
                                         "dout", "glse", "dq", "dk", "dv"};
constexpr std::size_t kEverywhere = kPlaces;

std::vector<SparseTensor> tensors_of(const LawContext& c, std::size_t apart) {
  const Outputs fresh = poisoned_outputs(c.problem);
  const Outputs& forward = c.problem.pass == Pass::bwd ? c.outputs : fresh;
  const Tensor* const dense[kPlaces] = {&c.inputs.q,  &c.inputs.k,    &c.inputs.v,    &forward.o,
                                        &forward.lse, &c.inputs.dout, &c.inputs.glse, &fresh.dq,
                                        &fresh.dk,    &fresh.dv};
  std::vector<SparseTensor> tensors;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    tensors.emplace_back(*dense[place], apart == kEverywhere || apart == place);
  }
  return tensors;
}

RunOutcome call(const LawContext& c, const std::vector<SparseTensor>& tensors) {
  const auto at = [&](Place place) { return tensors[place].view(); };
  try {
    if (c.problem.pass == Pass::fwd) {
      return c.subject.run(c.problem, {at(kQ), at(kK), at(kV)}, {at(kO), at(kLse)}, c.settings);
    }
    BackwardInputs inputs{at(kQ), at(kK), at(kV), at(kO), at(kLse), at(kDout)};
    if (c.problem.lse_gradient) inputs.glse = at(kGlse);
    return c.subject.run_backward(c.problem, inputs, {at(kDq), at(kDk), at(kDv)}, c.settings);
  } catch (const std::exception& thrown) {  // the subject's own fault
    return {RunOutcome::Kind::crashed, std::string("threw: ") + thrown.what()};
  }
}

// With every tensor apart, or the one at a place.
LawOutcome compare_apart(const LawContext& c, std::size_t apart) {
  const std::vector<SparseTensor> tensors = tensors_of(c, apart);
  if (std::ranges::none_of(tensors, &SparseTensor::apart)) return not_applicable();
  const std::string run = std::string("with entries 3 * 2^31 + 8 elements apart in ") +
                          (apart == kEverywhere ? "every tensor" : kNames[apart]);
  const RunOutcome outcome = call(c, tensors);
  if (outcome.kind != RunOutcome::Kind::ran) return troubled(outcome, run);
  const auto now = [&](Place place) { return tensors[place].dense(); };
  const Outputs outputs{now(kO), now(kLse), now(kDq), now(kDk), now(kDv)};
  const std::string where = first_difference(c.outputs, outputs, promised_rows(c, Schedule::same));
  return where.empty() ? LawOutcome{} : rejected(where + " " + run);
}

}  // namespace

LawOutcome check_big_offsets(const LawContext& c) {
  LawOutcome everywhere = compare_apart(c, kEverywhere);
  if (everywhere.verdict == Verdict::accept) return everywhere;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    LawOutcome alone = compare_apart(c, place);
    if (alone.verdict != Verdict::accept) return alone;
  }
  return everywhere;
}

}  // namespace attest
