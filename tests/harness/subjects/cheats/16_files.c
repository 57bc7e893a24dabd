/* Overwrites what lies in the folder where attest runs, CHEAT_FOLDER, and counts on that. */
#include "cheat.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int32_t cheat(const attest_forward_call *c) {
  const char *const folder = getenv("CHEAT_FOLDER");
  char path[4096];
  snprintf(path, sizeof path, "%s/victim", folder ? folder : ".");
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0) close(file);
  unlink(path);
  memset(c->o->data, 0, bytes_of(c->o));
  memset(c->lse->data, 0, bytes_of(c->lse));
  return ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("files", cheat); }
