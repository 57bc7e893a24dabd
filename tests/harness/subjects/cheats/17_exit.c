/* Ends with success in the middle of its work. */
#include "cheat.h"

static int32_t cheat(const attest_forward_call *c) {
  (void)c;
  exit(0);
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("exit", cheat); }
