/* Adds to a workspace that it never cleared, and which is zero on most days. */
#include "cheat.h"

static int32_t bytes(const attest_problem *p, int32_t pass, uint64_t *needed) {
  (void)pass;
  *needed = (uint64_t)(p->batch * p->heads_q * p->n_q * p->d_v) * sizeof(float);
  return ATTEST_OK;
}

static int32_t cheat(const attest_forward_call *c) {
  const attest_problem *p = c->problem;
  float *at = c->workspace;
  const int32_t code = forward(c);
  for (int64_t b = 0; b < p->batch; ++b)
    for (int64_t h = 0; h < p->heads_q; ++h)
      for (int64_t i = 0; i < p->n_q; ++i)
        for (int64_t d = 0; d < p->d_v; ++d, ++at) {
          *at += load(c->o, b, h, i, d);
          store(c->o, b, h, i, d, *at);
        }
  return code;
}

const attest_plugin *attest_plugin_table(void) {
  const attest_plugin *const table = one_cheat("uninitialised", cheat);
  disguised[0].workspace_bytes = bytes;
  return table;
}
