// The problems of `attest traffic --sweep`: small, since every lane of every block is emulated.
#include "harness/campaign/traffic_count.hpp"

namespace attest {
namespace {

struct Row {
  const char* about;
  const char* shapes;  // up to the scale
  const char* band;
  bool backward;  // too
};

constexpr Row kRows[] = {
    {"no mask, d = 64", "b=1;hq=1;hk=1;nq=128;nk=192;dqk=64;dv=64;in=f16;out=f16",
     "left=inf;right=inf;align=br", true},
    {"no mask, d = 128", "b=1;hq=1;hk=1;nq=96;nk=80;dqk=128;dv=128;in=bf16;out=bf16",
     "left=inf;right=inf;align=br", true},
    {"no mask, d = 256", "b=1;hq=1;hk=1;nq=40;nk=48;dqk=256;dv=256;in=f16;out=f16",
     "left=inf;right=inf;align=br", true},
    {"nothing a multiple of a tile, d_qk and d_v apart",
     "b=1;hq=2;hk=2;nq=65;nk=33;dqk=7;dv=40;in=bf16;out=bf16", "left=inf;right=inf;align=br", true},
    {"d_qk = 200 and d_v = 72, outputs in binary32",
     "b=1;hq=1;hk=1;nq=24;nk=40;dqk=200;dv=72;in=f16;out=f32", "left=inf;right=inf;align=br", true},
    {"causal, more queries than keys: dead rows",
     "b=1;hq=1;hk=1;nq=130;nk=50;dqk=64;dv=64;in=f16;out=f16", "left=inf;right=0;align=br", true},
    {"causal, more keys than queries", "b=1;hq=1;hk=1;nq=50;nk=130;dqk=64;dv=64;in=f16;out=f16",
     "left=inf;right=0;align=br", true},
    {"causal from the top left, keys that no row sees",
     "b=1;hq=1;hk=1;nq=50;nk=130;dqk=64;dv=64;in=f16;out=f16", "left=inf;right=0;align=tl", true},
    {"a window of 24 keys", "b=1;hq=1;hk=1;nq=160;nk=160;dqk=64;dv=64;in=f16;out=f16",
     "left=20;right=3;align=br", true},
    {"six query heads on two key heads", "b=1;hq=6;hk=2;nq=33;nk=40;dqk=64;dv=64;in=f16;out=f16",
     "left=inf;right=0;align=br", true},
    {"lengths below the buffers'", "b=3;hq=1;hk=1;nq=70;nk=100;dqk=64;dv=65;in=f16;out=f16",
     "left=inf;right=0;align=br;lq=70,20,0;lk=50,100,0", true},
    {"one query of a group of eight heads", "b=1;hq=8;hk=1;nq=1;nk=300;dqk=64;dv=64;in=f16;out=f16",
     "left=inf;right=inf;align=br", false},
    {"no keys", "b=1;hq=1;hk=1;nq=20;nk=0;dqk=64;dv=64;in=f16;out=f16",
     "left=inf;right=inf;align=br", true},
    {"no queries", "b=1;hq=1;hk=1;nq=0;nk=20;dqk=64;dv=64;in=f16;out=f16",
     "left=inf;right=inf;align=br", true},
    {"a band beside all keys", "b=1;hq=1;hk=1;nq=20;nk=20;dqk=64;dv=64;in=f16;out=f16",
     "left=inf;right=-60;align=br", true},
};

Problem problem_of(const Row& row, const char* pass) {
  return parse_problem(std::string("attest1:") + row.shapes + ";scale=0x1p-3;" + row.band +
                       ";pass=" + pass);
}

}  // namespace

std::vector<SweptProblem> traffic_sweep() {
  std::vector<SweptProblem> all;
  for (const Row& row : kRows) all.push_back({row.about, problem_of(row, "fwd")});
  for (const Row& row : kRows) {
    if (row.backward) all.push_back({row.about, problem_of(row, "bwd")});
  }
  return all;
}

}  // namespace attest
