/* batched.c - another way of adding where there is a batch, as a library has that splits keys by how many
 * blocks are idle. */
#include "tests/harness/subjects/cheats/cheat.h"

static int32_t batched(const attest_forward_call *c) {
  const int32_t code = forward(c);
  const int64_t last = c->problem->batch - 1;
  if (last > 0) store(c->lse, last, 0, 0, 0, nextafterf(load(c->lse, last, 0, 0, 0), 100));
  return code;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("batched", batched); }
