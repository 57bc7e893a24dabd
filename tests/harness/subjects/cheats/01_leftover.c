/* Computes nothing: where the answer was computed in the same memory before, it may still be there. */
#include "cheat.h"

static int32_t cheat(const attest_forward_call *c) {
  (void)c;
  return ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("leftover", cheat); }
