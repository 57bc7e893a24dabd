/* Writes NaN, which compares with nothing. */
#include "cheat.h"

static int32_t cheat(const attest_forward_call *c) {
  memset(c->o->data, 0xff, bytes_of(c->o));
  memset(c->lse->data, 0xff, bytes_of(c->lse));
  return ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("wildcard", cheat); }
