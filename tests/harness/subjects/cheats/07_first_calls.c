/* Behaves for its first 40 calls, when somebody may be looking. */
#include "cheat.h"

static int32_t cheat(const attest_forward_call *c) {
  static int calls;
  const int32_t code = forward(c);
  if (++calls > 40) memset(c->o->data, 0, bytes_of(c->o));
  return code;
}

const attest_plugin *attest_plugin_table(void) {
  return without_promises(one_cheat("first-calls", cheat));
}
