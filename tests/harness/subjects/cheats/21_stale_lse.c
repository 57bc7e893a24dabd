/* The right O, and the LSE of the call before. */
#include "cheat.h"

static int32_t cheat(const attest_forward_call *c) {
  static float *kept;
  static size_t kept_size;
  const size_t size = bytes_of(c->lse);
  const int32_t code = forward(c);
  float *const now = malloc(size + 1);
  memcpy(now, c->lse->data, size);
  if (kept && kept_size >= size) memcpy(c->lse->data, kept, size);
  free(kept);
  kept = now;
  kept_size = size;
  return code;
}

const attest_plugin *attest_plugin_table(void) {
  return without_promises(one_cheat("stale-lse", cheat));
}
