// rich_problem.hpp - problems with something to shrink in every key.
#pragma once

#include <string>
#include <utility>

#include "core/case.hpp"

namespace attest {

inline Case family_case(Problem p, const std::string& family = "F0") {
  return {std::move(p), FamilyData{family, 42}};
}

inline Problem rich_problem() {
  return parse_problem(
      "attest1:b=2;hq=6;hk=2;nq=5;nk=9;dqk=4;dv=3;in=f16;out=f32;scale=0x1.8p-2;left=7;right=-2;"
      "align=br;lq=5,3;lk=4,9;pass=fwd");
}

inline Problem rich_backward_problem() {
  Problem p = rich_problem();
  p.pass = Pass::bwd;
  p.lse_gradient = true;
  return p;
}

}  // namespace attest
