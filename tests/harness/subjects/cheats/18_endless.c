/* Prints megabytes and answers with zeros, or never answers. */
#include "cheat.h"
#include <stdio.h>
#include <unistd.h>

static int32_t prints(const attest_forward_call *c) {
  for (int n = 0; n < 20000; ++n) {
    printf("all tests passed, exit status 0, %d more lines to come ................\n", n);
    fprintf(stderr, "ok %d\n", n);
  }
  memset(c->o->data, 0, bytes_of(c->o));
  memset(c->lse->data, 0, bytes_of(c->lse));
  return ATTEST_OK;
}

static int32_t hangs(const attest_forward_call *c) {
  (void)c;
  for (;;) pause();
  return ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) {
  static const struct cheat all[] = {{"prints", prints}, {"hangs", hangs}};
  return cheat_table(all, 2);
}
