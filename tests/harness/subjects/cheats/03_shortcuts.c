/* Answers that cost nothing, or less: zeros, a copy of V, the mean of V, weights that are all the same,
 * no mask, no last tile. */
#include "cheat.h"

enum shortcut { ZEROS, COPY, MEAN, UNIFORM };

static int32_t shortened(const attest_forward_call *c, enum shortcut how) {
  const attest_problem *p = c->problem;
  forward(c); /* LSE, and O where nothing is cut short */
  for (int64_t b = 0; b < p->batch; ++b)
    for (int64_t h = 0; h < p->heads_q; ++h)
      for (int64_t i = 0; i < p->n_q; ++i)
        for (int64_t d = 0; d < p->d_v; ++d) {
          const int64_t kh = h / (p->heads_q / p->heads_k);
          const int64_t keys = how == UNIFORM && p->right == 0 && i < p->n_k ? i + 1 : p->n_k;
          float sum = 0;
          for (int64_t j = 0; j < keys; ++j) sum += load(c->v, b, kh, j, d) / (float)keys;
          if (how == ZEROS) sum = 0;
          if (how == COPY) sum = p->n_k ? load(c->v, b, kh, i % p->n_k, d) : 0;
          store(c->o, b, h, i, d, sum);
        }
  return ATTEST_OK;
}

static int32_t zeros(const attest_forward_call *c) { return shortened(c, ZEROS); }
static int32_t copy(const attest_forward_call *c) { return shortened(c, COPY); }
static int32_t mean(const attest_forward_call *c) { return shortened(c, MEAN); }
static int32_t uniform(const attest_forward_call *c) { return shortened(c, UNIFORM); }

static int32_t changed(const attest_forward_call *c, int mask, int64_t fewer_keys) {
  attest_problem p = *c->problem;
  attest_forward_call call = *c;
  if (!mask) p.left = p.right = ATTEST_UNLIMITED;
  if (p.n_k > fewer_keys) p.n_k -= fewer_keys;
  call.problem = &p;
  return forward(&call);
}

static int32_t no_mask(const attest_forward_call *c) { return changed(c, 0, 0); }
static int32_t no_last_tile(const attest_forward_call *c) {
  return changed(c, 1, c->problem->lk ? 0 : (c->problem->n_k - 1) % 16 + 1);
}

const attest_plugin *attest_plugin_table(void) {
  static const struct cheat all[] = {{"zeros", zeros},     {"copy-of-v", copy},
                                     {"mean-of-v", mean},  {"uniform", uniform},
                                     {"no-mask", no_mask}, {"no-last-tile", no_last_tile}};
  return cheat_table(all, 6);
}
