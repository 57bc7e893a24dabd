/* Writes replies of its own to every descriptor, and computes nothing. */
#include "cheat.h"
#include <unistd.h>

static int32_t cheat(const attest_forward_call *c) {
  /* A frame of 40 bytes: a token that it can only guess, then "done". */
  const uint64_t frame[] = {40, 0x1234, 0, 0, 0, 0};
  (void)c;
  for (int descriptor = 0; descriptor < 64; ++descriptor) {
    const ssize_t written = write(descriptor, frame, sizeof frame);
    (void)written;
  }
  return ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("forged", cheat); }
