/* faulty.c - does what the first value of Q says: 0 computes, others end badly in a way of their own
 * (fault_injection.hpp). */
#include "tests/harness/subjects/cheats/cheat.h"
#include <signal.h>
#include <unistd.h>

enum { COMPUTES, SEGFAULT, KILLED, EXIT_IN_MID_FRAME, HANGS, TRUNCATED_FRAME, OVERSIZED_FRAME };
enum { SOCKET = 4 };

static int *volatile nowhere;

static void say(const uint64_t *words, size_t bytes) {
  const ssize_t written = write(SOCKET, words, bytes);
  (void)written;
}

static int32_t faulty(const attest_forward_call *c) {
  const uint64_t oversized[] = {(uint64_t)1 << 40, 0}, unfinished[] = {100, 0};
  switch ((int)load(c->q, 0, 0, 0, 0)) {
    case SEGFAULT: *nowhere = 1; break;
    case KILLED: kill(getpid(), SIGKILL); break;
    case EXIT_IN_MID_FRAME: say(unfinished, 12); _exit(0);
    case HANGS:
      for (;;) pause();
    case TRUNCATED_FRAME:
      say(unfinished, 9);
      close(SOCKET);
      pause();
      break;
    case OVERSIZED_FRAME: say(oversized, sizeof oversized); break;
    default: break;
  }
  return forward(c);
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("faulty", faulty); }
