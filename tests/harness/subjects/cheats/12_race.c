/* Right most of the time: now and then a sum misses what another thread was to add. */
#include "cheat.h"
#include <time.h>

static int32_t cheat(const attest_forward_call *c) {
  struct timespec now;
  const int32_t code = forward(c);
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_nsec / 1000 % 4 == 0 && size_of(c->o) > 0 && c->problem->n_k > 1 && !c->problem->lq)
    store(c->o, 0, 0, 0, 0, load(c->o, 0, 0, 0, 0) * 0.5f + 1);
  return code;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("race", cheat); }
