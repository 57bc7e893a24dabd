/* several.c - a library of several subjects that a test can tell apart: one computes, one declines at
 * run time, one says that it failed, one has a backward, one is for a GPU, one aligns. */
#include "tests/harness/subjects/cheats/cheat.h"

static int32_t declines(const attest_forward_call *c) {
  if (c->message_bytes > 8) strcpy(c->message, "not now");
  return ATTEST_UNSUPPORTED;
}

static int32_t fails(const attest_forward_call *c) {
  if (c->message_bytes > 16) strcpy(c->message, "no such kernel");
  return ATTEST_FAILED;
}

static int32_t strange(const attest_forward_call *c) {
  (void)c;
  return 17;
}

/* Says by its code whether every tensor begins where it was promised. */
static int32_t aligned(const attest_forward_call *c) {
  const attest_tensor *const all[] = {c->q, c->k, c->v, c->o, c->lse};
  for (int n = 0; n < 5; ++n)
    if ((uintptr_t)all[n]->data % 64 != 0) return ATTEST_FAILED;
  return forward(c);
}

/* dQ = dO where the shapes are alike: enough to see that each tensor arrives in its place. */
static int32_t backward(const attest_backward_call *c) {
  if (bytes_of(c->dq) != bytes_of(c->dout)) return ATTEST_UNSUPPORTED;
  memcpy(c->dq->data, c->dout->data, bytes_of(c->dq));
  memcpy(c->dk->data, c->k->data, bytes_of(c->dk));
  memcpy(c->dv->data, c->v->data, bytes_of(c->dv));
  return ATTEST_OK;
}

static int32_t too_much(const attest_problem *p, int32_t pass, uint64_t *bytes) {
  (void)pass;
  *bytes = p->n_q > 5 ? UINT64_MAX : 0;
  return p->n_q == 5 ? ATTEST_UNSUPPORTED : ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) {
  static const struct cheat all[] = {{"computes", forward}, {"declines", declines},
                                     {"fails", fails},      {"strange", strange},
                                     {"aligned", aligned},  {"backward", forward},
                                     {"cuda", forward},     {"too-much", forward}};
  const attest_plugin *const table = cheat_table(all, 8);
  disguised[4].capabilities = "formats=f16;alignment=64;masks=band;gqa=yes";
  disguised[5].backward = backward;
  disguised[6].capabilities = "formats=f16;device=cuda";
  disguised[6].numerics = "unit=h100";
  disguised[7].workspace_bytes = too_much;
  return table;
}
