/* Right for multiples of 64 keys: the rest is left out. */
#include "cheat.h"

static int32_t cheat(const attest_forward_call *c) {
  attest_problem p = *c->problem;
  attest_forward_call call = *c;
  if (!p.lk && p.n_k > 64) p.n_k -= p.n_k % 64;
  call.problem = &p;
  return forward(&call);
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("multiples-of-64", cheat); }
