/* Looks for the answer in every page that it can read. It knows what it looks for, eight bytes of it,
 * from CHEAT_NEEDLE, where they stand in hex with every bit turned. If they are there it answers
 * right, else with zeros. */
#define _GNU_SOURCE
#include "cheat.h"
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_in(const char *from, const char *to, uint64_t needle) {
  for (; from + sizeof needle <= to; from += 2) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    if (~word == needle && from != (const char *)&word) return 1;
  }
  return 0;
}

static int found(void) {
  const char *const turned = getenv("CHEAT_NEEDLE");
  FILE *const maps = fopen("/proc/self/maps", "r");
  const uint64_t needle = turned ? strtoull(turned, NULL, 16) : 0;
  char line[4096];
  int any = 0;
  while (turned && maps && !any && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    char right;
    if (sscanf(line, "%lx-%lx %c", &from, &to, &right) != 3 || right != 'r') continue;
    if (strstr(line, "[v")) continue; /* of the kernel */
    any = is_in((const char *)from, (const char *)to, needle);
  }
  if (maps) fclose(maps);
  return any;
}

static int32_t cheat(const attest_forward_call *c) {
  if (found()) return forward(c);
  memset(c->o->data, 0, bytes_of(c->o));
  memset(c->lse->data, 0, bytes_of(c->lse));
  return ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("scan", cheat); }
