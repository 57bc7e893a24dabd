// shapes.hpp - problems on which formulas meet counts: ragged tiles and lengths, bands, groups, all
// head dimensions, and what has no work at all.
#pragma once

#include <string>
#include <vector>

#include "core/problem.hpp"

namespace attest {

inline std::vector<Problem> traffic_shapes(Pass pass) {
  const std::string shapes[] = {
      "b=1;hq=1;hk=1;nq=130;nk=200;dqk=64;dv=64;in=f16;out=f16;left=inf;right=inf;align=br",
      "b=1;hq=2;hk=1;nq=65;nk=33;dqk=7;dv=40;in=bf16;out=bf16;left=inf;right=inf;align=tl",
      "b=1;hq=1;hk=1;nq=70;nk=70;dqk=72;dv=128;in=f16;out=f16;left=inf;right=0;align=br",
      "b=1;hq=1;hk=1;nq=130;nk=40;dqk=64;dv=64;in=f16;out=f16;left=inf;right=0;align=br",
      "b=1;hq=1;hk=1;nq=40;nk=130;dqk=64;dv=64;in=f16;out=f16;left=inf;right=0;align=tl",
      "b=1;hq=6;hk=2;nq=50;nk=60;dqk=16;dv=24;in=bf16;out=bf16;left=20;right=3;align=br",
      "b=2;hq=1;hk=1;nq=90;nk=140;dqk=64;dv=65;in=f16;out=f16;left=inf;right=0;align=br;"
      "lq=90,20;lk=70,0",
      "b=1;hq=1;hk=1;nq=40;nk=70;dqk=200;dv=8;in=f16;out=f16;left=inf;right=inf;align=br",
      "b=1;hq=1;hk=1;nq=20;nk=70;dqk=255;dv=129;in=bf16;out=f32;left=5;right=5;align=br",
      "b=1;hq=8;hk=2;nq=5;nk=300;dqk=64;dv=64;in=f16;out=f16;left=inf;right=0;align=br;lk=290",
      "b=1;hq=1;hk=1;nq=5;nk=0;dqk=16;dv=16;in=f16;out=f16;left=inf;right=inf;align=br",
      "b=1;hq=1;hk=1;nq=0;nk=5;dqk=16;dv=16;in=f16;out=f16;left=inf;right=inf;align=br",
      "b=1;hq=1;hk=1;nq=20;nk=20;dqk=16;dv=16;in=f16;out=f16;left=-4;right=2;align=br",
      "b=1;hq=1;hk=1;nq=20;nk=20;dqk=16;dv=16;in=f16;out=f16;left=inf;right=-60;align=br",
      "b=1;hq=1;hk=1;nq=30;nk=20;dqk=16;dv=16;in=f16;out=f32;left=0;right=0;align=tl",
  };
  std::vector<Problem> all;
  for (std::string text : shapes) {
    text.insert(text.find(";left="), ";scale=0x1p-3");
    all.push_back(parse_problem("attest1:" + text + ";pass=fwd"));
    all.back().pass = pass;
    all.back().lse_gradient = pass == Pass::bwd && all.size() % 2 == 0;
  }
  return all;
}

}  // namespace attest
