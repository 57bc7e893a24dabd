/* Claims a feature and ignores the option: alignment, lengths, scale, head groups. */
#include "cheat.h"

static int32_t changed(const attest_forward_call *c, const attest_problem *p) {
  attest_forward_call call = *c;
  call.problem = p;
  return forward(&call);
}

static int32_t alignment(const attest_forward_call *c) {
  attest_problem p = *c->problem;
  p.align = ATTEST_TOP_LEFT;
  return changed(c, &p);
}

static int32_t lengths(const attest_forward_call *c) {
  attest_problem p = *c->problem;
  p.lk = NULL;
  return changed(c, &p);
}

static int32_t scale(const attest_forward_call *c) {
  attest_problem p = *c->problem;
  p.scale = 1 / sqrtf((float)p.d_qk);
  return changed(c, &p);
}

static int32_t groups(const attest_forward_call *c) {
  attest_problem p = *c->problem;
  attest_forward_call call = *c;
  attest_tensor k = *c->k, v = *c->v;
  p.heads_k = p.heads_q;
  k.strides = (int64_t[]){k.strides[0], 0, k.strides[2], k.strides[3]};
  v.strides = (int64_t[]){v.strides[0], 0, v.strides[2], v.strides[3]};
  call.problem = &p;
  call.k = &k;
  call.v = &v;
  return forward(&call);
}

const attest_plugin *attest_plugin_table(void) {
  static const struct cheat all[] = {
      {"alignment", alignment}, {"lengths", lengths}, {"scale", scale}, {"groups", groups}};
  return cheat_table(all, 4);
}
