// split_judged.hpp - emulated split keys, judged: what the tests of their budgets share.
#pragma once

#include <string>

#include "tests/judge/declarations.hpp"
#include "tests/judge/judged.hpp"
#include "tests/judge/split_emulation.hpp"

namespace attest {

// The sharpest arithmetic, with binary32 partials of parts of part_k keys.
inline Numerics split_into(Index part_k, std::string_view changes = "") {
  const std::string parts = "split=normalised:f32;combine=divide;part_k=" + std::to_string(part_k);
  return changed(changed(sharpest(), parts), changes);
}

inline Judgement judge_emulated(const Problem& p, const Inputs& inputs, const Numerics& declared,
                                const SplitChoices& choices = {}) {
  const Result result = emulate_split(p, inputs, declared, choices);
  return judge_forward(p, enclose_forward(p, inputs), declared, Semantics{}, result.o.view(),
                       result.lse.view(), Rows::live);
}

}  // namespace attest
