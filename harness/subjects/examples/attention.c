/* attention.c - attention in plain C behind attest/subject.h: any mask, lengths and head groups.
 *
 *   cc -shared -fPIC -O2 -ffp-contract=off -I... attention.c -o libattention.so -lm
 *   attest check --subject plugin:./libattention.so
 */
#include <attest/subject.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef _Float16 half;

static size_t element_at(const attest_tensor *t, int64_t b, int64_t h, int64_t i, int64_t d) {
  return (size_t)(b * t->strides[0] + h * t->strides[1] + i * t->strides[2] + d * t->strides[3]);
}

static float load(const attest_tensor *t, int64_t b, int64_t h, int64_t i, int64_t d) {
  const char *at = (const char *)t->data + t->byte_offset;
  const size_t n = element_at(t, b, h, i, d);
  if (t->dtype.bits == 32) return ((const float *)at)[n];
  if (t->dtype.code == ATTEST_FLOAT) return (float)((const half *)at)[n];
  const uint32_t bits = (uint32_t)((const uint16_t *)at)[n] << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void store(const attest_tensor *t, int64_t b, int64_t h, int64_t i, int64_t d, float x) {
  char *at = (char *)t->data + t->byte_offset;
  const size_t n = element_at(t, b, h, i, d);
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (t->dtype.bits == 32)
    ((float *)at)[n] = x;
  else if (t->dtype.code == ATTEST_FLOAT)
    ((half *)at)[n] = (half)x;
  else /* to the nearest bf16, a NaN to one of its own */
    ((uint16_t *)at)[n] = x != x ? 0x7fff : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* The limit b may be ATTEST_UNLIMITED. */
static int64_t beyond(int64_t a, int64_t b) { return b > INT64_MAX / 2 ? INT64_MAX / 2 : a + b; }

/* Row i sees keys first .. last - 1. `s` has room for the scores of them all. */
static void attend(const attest_forward_call *c, int64_t b, int64_t h, int64_t i, int64_t first,
                   int64_t last, float *s) {
  const attest_problem *p = c->problem;
  const int64_t kh = h / (p->heads_q / p->heads_k);
  const float scale_log2e = (float)((double)p->scale * 1.4426950408889634);
  float m = -INFINITY, l = 0;
  for (int64_t j = first; j < last; ++j) {
    s[j] = 0;
    for (int64_t d = 0; d < p->d_qk; ++d)
      s[j] = fmaf(load(c->q, b, h, i, d), load(c->k, b, kh, j, d), s[j]);
    if (s[j] > m) m = s[j];
  }
  for (int64_t j = first; j < last; ++j) {
    s[j] = (float)exp2((double)((s[j] - m) * scale_log2e));
    l += s[j];
  }
  for (int64_t d = 0; d < p->d_v; ++d) {
    float sum = 0;
    for (int64_t j = first; j < last; ++j) sum = fmaf(s[j], load(c->v, b, kh, j, d), sum);
    store(c->o, b, h, i, d, first < last ? sum / l : 0);
  }
  store(c->lse, b, h, i, 0, first < last ? m * p->scale + (float)log((double)l) : -INFINITY);
}

static int32_t forward(const attest_forward_call *c) {
  const attest_problem *p = c->problem;
  float *const s = malloc(((size_t)p->n_k + 1) * sizeof *s);
  for (int64_t b = 0; b < p->batch; ++b)
    for (int64_t h = 0; h < p->heads_q; ++h)
      for (int64_t i = 0; i < p->n_q; ++i) {
        const int64_t lq = p->lq ? p->lq[b] : p->n_q, lk = p->lk ? p->lk[b] : p->n_k;
        const int64_t middle = i + (p->align == ATTEST_BOTTOM_RIGHT ? lk - lq : 0);
        int64_t first = -beyond(-middle, p->left), last = beyond(middle + 1, p->right);
        if (first < 0) first = 0;
        if (last > lk) last = lk;
        attend(c, b, h, i, first, i < lq ? last : first, s);
      }
  free(s);
  return ATTEST_OK;
}

static const attest_subject attention = {
    .struct_size = sizeof attention, .name = "attention", .about = "two passes over the keys, in C",
    .capabilities = "formats=f16,bf16,f32,f16:f32,bf16:f32;masks=full,causal,window,band;"
                    "gqa=yes;varlen=yes",
    .semantics = "dead_o=zero;dead_lse=-inf;nonfinite=row_local;beyond_lengths=zero",
    .numerics = "unit=fp32-seq;scale_at=scores;c=once;s_store=none;exponent=difference_first;"
                "exp2=0x1.00001p-24;exp_ftz=no;p_format=f32;p_truncated=no;p_normalised=after;"
                "l_from=unrounded;l_chain=sequential;tile_k=1048576;order=ascending;divide=exact;"
                "o_format=out;o_rounding=nearest;lse_format=f32;log=0x1.00001p-24;ftz=no;"
                "o_ftz=no;split=none",
    .promises = "deterministic=yes;batch_invariant=yes", .forward = forward};
static const attest_subject *const subjects[] = {&attention};
static const attest_plugin table = {ATTEST_ABI_MAJOR, sizeof table, 1, subjects};
const attest_plugin *attest_plugin_table(void) { return &table; }
