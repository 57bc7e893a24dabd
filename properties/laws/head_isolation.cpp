// head_isolation: heads, and entries of a batch, know nothing of each other. Where one group of
// heads of one entry takes other values, what the others return does not change by a bit.
#include "core/random.hpp"
#include "properties/families/values.hpp"
#include "properties/laws/difference.hpp"
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "properties/laws/promised_rows.hpp"
#include "properties/laws/scope.hpp"

namespace attest {
namespace {

struct Group {
  Index b;
  Index first;  // of its heads in the tensor
  Index heads;
};

// The heads of group `key_head` in a tensor of query heads or of key heads.
Group group_in(const Problem& p, Index b, Index key_head, Index heads) {
  const Index each = heads / p.heads_k;
  return {b, key_head * each, each};
}

// Calls act(row, h, column) for every element of the group.
template <class Act>
void for_each_element(const ConstTensorView& view, const Group& group, Act act) {
  for (Index h = group.first; h < group.first + group.heads; ++h) {
    for (Index row = 0; row < view.extents[2]; ++row) {
      for (Index column = 0; column < view.extents[3]; ++column) act(h, row, column);
    }
  }
}

// Other Gaussians, up to some hundreds.
void change_group(const Problem& p, Tensor& tensor, Index b, Index key_head, std::uint64_t seed) {
  if (tensor.size() == 0) return;
  const TensorView view = tensor.view();
  const Group group = group_in(p, b, key_head, tensor.extents()[1]);
  for_each_element(view, group, [&](Index h, Index row, Index column) {
    const double value =
        64 *
        gaussian(seed, {kDrawOfLaw, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(h),
                        static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
    view.set_bits(b, h, row, column, round_to_bits(tensor.format(), value));
  });
}

// The group's own outputs may change: they are taken from `before`.
void restore_group(const Problem& p, const Tensor& before, Tensor& after, Index b, Index key_head) {
  if (before.size() == 0) return;
  const ConstTensorView from = before.view();
  const TensorView to = after.view();
  for_each_element(from, group_in(p, b, key_head, before.extents()[1]),
                   [&](Index h, Index row, Index column) {
                     to.set_bits(b, h, row, column, from.bits(b, h, row, column));
                   });
}

}  // namespace

LawOutcome check_head_isolation(const LawContext& c) {
  const Problem& p = c.problem;
  if (!has_other_groups(p)) return not_applicable();
  const std::uint64_t seed = seed_of(p, c.inputs);
  const RandomBits bits = random_bits(seed, {kDrawOfLaw, 15, 0, 0, 0});
  const Index b = bits[0] % p.batch;
  const Index key_head = bits[1] % p.heads_k;
  Inputs inputs = c.inputs;
  std::uint64_t of_tensor = seed;
  for (Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout, &inputs.glse}) {
    change_group(p, *tensor, b, key_head, ++of_tensor);
  }
  const std::string run = "with other values in b=" + std::to_string(b) +
                          " hk=" + std::to_string(key_head) + " and the heads of its group";
  Execution changed = execute(c.subject, p, inputs, c.settings);
  if (changed.outcome.kind != RunOutcome::Kind::ran) return troubled(changed.outcome, run);
  Outputs& after = changed.outputs;
  const Tensor* const before[] = {&c.outputs.o, &c.outputs.lse, &c.outputs.dq, &c.outputs.dk,
                                  &c.outputs.dv};
  Tensor* const now[] = {&after.o, &after.lse, &after.dq, &after.dk, &after.dv};
  for (std::size_t n = 0; n < std::size(now); ++n) {
    restore_group(p, *before[n], *now[n], b, key_head);
  }
  const std::string where = first_difference(c.outputs, after, promised_rows(c, Schedule::same));
  return where.empty() ? LawOutcome{} : rejected(where + " " + run);
}

}  // namespace attest
