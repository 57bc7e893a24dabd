/* Remembers its last answer, and gives it again where the address of V, the shape, or the first value
 * of Q is the same. */
#include "cheat.h"

static char *kept;
static size_t kept_o, kept_lse;

static int32_t remember(const attest_forward_call *c) {
  const int32_t code = forward(c);
  kept_o = bytes_of(c->o);
  kept_lse = bytes_of(c->lse);
  kept = realloc(kept, kept_o + kept_lse + 1);
  memcpy(kept, c->o->data, kept_o);
  memcpy(kept + kept_o, c->lse->data, kept_lse);
  return code;
}

static int32_t answer(const attest_forward_call *c, int known) {
  if (!known || kept_o != bytes_of(c->o) || kept_lse != bytes_of(c->lse)) return remember(c);
  memcpy(c->o->data, kept, kept_o);
  memcpy(c->lse->data, kept + kept_o, kept_lse);
  return ATTEST_OK;
}

static int32_t by_address(const attest_forward_call *c) {
  static const void *last;
  const int known = last == c->v->data;
  last = c->v->data;
  return answer(c, known);
}

static int32_t by_shape(const attest_forward_call *c) {
  static attest_problem last;
  const attest_problem *p = c->problem;
  const int known = last.n_q == p->n_q && last.n_k == p->n_k && last.d_qk == p->d_qk &&
                    last.left == p->left && last.right == p->right && last.align == p->align;
  last = *p;
  return answer(c, known);
}

static int32_t by_first_value(const attest_forward_call *c) {
  static float last;
  const float first = size_of(c->q) ? load(c->q, 0, 0, 0, 0) : 0;
  const int known = last == first;
  last = first;
  return answer(c, known);
}

const attest_plugin *attest_plugin_table(void) {
  static const struct cheat all[] = {{"by-address", by_address},
                                     {"by-shape", by_shape},
                                     {"by-first-value", by_first_value}};
  return without_promises(cheat_table(all, 3));
}
