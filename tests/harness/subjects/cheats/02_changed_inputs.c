/* Changes its inputs, to those of an easier problem: by the address it was given, and by the file that
 * is behind it. */
#include "cheat.h"
#include <unistd.h>

static int32_t in_place(const attest_forward_call *c) {
  memset(c->q->data, 0, bytes_of(c->q));
  return forward(c);
}

static int32_t by_the_file(const attest_forward_call *c) {
  const char zeros[4096] = {0};
  for (int64_t page = 1; page < 64; ++page)
    if (pwrite(3, zeros, sizeof zeros, page * (int64_t)sizeof zeros) < 0) break;
  return forward(c);
}

const attest_plugin *attest_plugin_table(void) {
  static const struct cheat all[] = {{"in-place", in_place}, {"by-the-file", by_the_file}};
  return cheat_table(all, 2);
}
