/* unsound.c - libraries that cannot be loaded, one for each value of UNSOUND (CMakeLists.txt). */
#include <attest/subject.h>
#include <stdlib.h>
#include <unistd.h>

enum { NO_SYMBOL, OTHER_VERSION, SMALL_TABLE, NO_SUBJECT, SMALL_SUBJECT, NO_NAME, NO_FORWARD,
       STRANGE_TEXT, CRASHES, HANGS, EXITS, NO_TABLE, STRANGE_LINE };

static int32_t forward(const attest_forward_call *call) {
  (void)call;
  return ATTEST_OK;
}

static const attest_subject subject = {
    .struct_size = UNSOUND == SMALL_SUBJECT ? 16 : sizeof subject,
    .name = UNSOUND == NO_NAME ? NULL : "x",
    .capabilities = UNSOUND == STRANGE_TEXT ? "formats=f16;colour=blue" : "formats=f16",
    .forward = UNSOUND == NO_FORWARD ? NULL : forward,
    .configurations = UNSOUND == STRANGE_LINE ? "tile=64 tile_k=many" : NULL};
static const attest_subject *const subjects[] = {&subject};
static const attest_plugin table = {
    UNSOUND == OTHER_VERSION ? 2 : ATTEST_ABI_MAJOR, UNSOUND == SMALL_TABLE ? 8 : sizeof table,
    UNSOUND == NO_SUBJECT ? 0 : 1, subjects};

#if UNSOUND == 0
const attest_plugin *another_name(void);
const attest_plugin *another_name(void) { return &table; }
#else
const attest_plugin *attest_plugin_table(void) {
  if (UNSOUND == CRASHES) abort();
  if (UNSOUND == EXITS) exit(0);
  if (UNSOUND == NO_TABLE) return NULL;
  while (UNSOUND == HANGS) pause();
  return &table;
}
#endif
