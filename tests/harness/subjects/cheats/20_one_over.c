/* Writes one element past the end of O, or before its start. */
#include "cheat.h"

static int32_t past(const attest_forward_call *c) {
  const int32_t code = forward(c);
  ((volatile char *)c->o->data)[bytes_of(c->o)] = 1;
  return code;
}

static int32_t before(const attest_forward_call *c) {
  const int32_t code = forward(c);
  ((volatile char *)c->o->data)[-1] = 1;
  return code;
}

static int32_t read_past(const attest_forward_call *c) {
  const int32_t code = forward(c);
  (void)((volatile char *)c->v->data)[bytes_of(c->v)];
  return code;
}

const attest_plugin *attest_plugin_table(void) {
  static const struct cheat all[] = {{"past", past}, {"before", before}, {"read-past", read_past}};
  return cheat_table(all, 3);
}
