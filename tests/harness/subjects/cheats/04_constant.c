/* Computes once, and from then on answers with the first value that came out. */
#include "cheat.h"

static int32_t cheat(const attest_forward_call *c) {
  static int learnt;
  static float value;
  const int32_t code = forward(c);
  if (size_of(c->o) == 0) return code;
  if (!learnt) value = load(c->o, 0, 0, 0, 0);
  learnt = 1;
  const int64_t *shape = c->o->shape;
  for (int64_t b = 0; b < shape[0]; ++b)
    for (int64_t h = 0; h < shape[1]; ++h)
      for (int64_t i = 0; i < shape[2]; ++i)
        for (int64_t d = 0; d < shape[3]; ++d) store(c->o, b, h, i, d, value);
  return code;
}

const attest_plugin *attest_plugin_table(void) {
  return without_promises(one_cheat("constant", cheat));
}
