/* Declares f32 throughout, and keeps 8 bits of its V. */
#include "cheat.h"

static int32_t cheat(const attest_forward_call *c) {
  const size_t size = bytes_of(c->v);
  char *const narrow = malloc(size + 1);
  attest_tensor v = *c->v;
  attest_forward_call call = *c;
  memcpy(narrow, c->v->data, size);
  v.data = narrow;
  call.v = &v;
  for (int64_t b = 0; b < v.shape[0]; ++b)
    for (int64_t h = 0; h < v.shape[1]; ++h)
      for (int64_t j = 0; j < v.shape[2]; ++j)
        for (int64_t d = 0; d < v.shape[3]; ++d) {
          const float x = load(c->v, b, h, j, d);
          int exponent;
          const float fraction = frexpf(x, &exponent);
          if (isfinite(x)) store(&v, b, h, j, d, ldexpf(roundf(fraction * 128) / 128, exponent));
        }
  const int32_t code = forward(&call);
  free(narrow);
  return code;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("narrow", cheat); }
