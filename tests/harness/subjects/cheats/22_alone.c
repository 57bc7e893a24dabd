/* Promises the same bits in every run, and adds in another order when another process is at work: as
 * a library does that asks how many cores are idle. */
#include "cheat.h"
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static int32_t cheat(const attest_forward_call *c) {
  const int program = open("/proc/self/exe", O_RDONLY);
  const int alone = flock(program, LOCK_EX | LOCK_NB) == 0;
  const struct timespec moment = {0, 20000000};
  const int32_t code = forward(c);
  nanosleep(&moment, NULL);
  if (!alone && size_of(c->lse) > 0 && isfinite(load(c->lse, 0, 0, 0, 0)))
    store(c->lse, 0, 0, 0, 0, nextafterf(load(c->lse, 0, 0, 0, 0), INFINITY));
  close(program);
  return code;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("alone", cheat); }
