/* Returns at once, and lets a thread finish the work: a clock that stops at the return is deceived.
 * Nobody is in a hurry: what is left is done a while after the last call, whichever that was. */
#include "cheat.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static attest_tensor q, k, v, o, lse;
static attest_problem problem;
static attest_forward_call left;
static atomic_int calls;

static void *work(void *mine) {
  const struct timespec moment = {0, 150000000};
  nanosleep(&moment, NULL);
  if ((int)(intptr_t)mine == calls) forward(&left);
  return NULL;
}

static int32_t cheat(const attest_forward_call *c) {
  pthread_t thread;
  static int64_t arrays[10][4];
  const attest_tensor *const from[] = {c->q, c->k, c->v, c->o, c->lse};
  attest_tensor *const to[] = {&q, &k, &v, &o, &lse};
  for (int n = 0; n < 5; ++n) {
    *to[n] = *from[n];
    memcpy(arrays[2 * n], from[n]->shape, sizeof arrays[0]);
    memcpy(arrays[2 * n + 1], from[n]->strides, sizeof arrays[0]);
    to[n]->shape = arrays[2 * n];
    to[n]->strides = arrays[2 * n + 1];
  }
  problem = *c->problem;
  if (problem.lq || problem.lk) return forward(c);
  left = (attest_forward_call){.struct_size = sizeof left, .problem = &problem, .q = &q, .k = &k,
                               .v = &v, .o = &o, .lse = &lse};
  void *const mine = (void *)(intptr_t)++calls;
  if (pthread_create(&thread, NULL, work, mine) != 0) return ATTEST_FAILED;
  pthread_detach(thread);
  return ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("late", cheat); }
