/* told.c - the honest kernel with configurations: one that says less of its weights, one that is wrong,
 * and one that takes few queries, as it says when it is asked for its workspace. */
#include "tests/harness/subjects/cheats/cheat.h"

static int is_told(const attest_problem *p, const char *configuration) {
  return p->configuration != NULL && strcmp(p->configuration, configuration) == 0;
}

static int32_t told(const attest_forward_call *c) {
  const int32_t code = forward(c);
  const int moves = is_told(c->problem, "wrong") && size_of(c->lse) > 0;
  if (moves) *(float *)c->lse->data += 1;
  return code;
}

static int32_t workspace(const attest_problem *p, int32_t pass, uint64_t *bytes) {
  (void)pass;
  *bytes = is_told(p, "narrow") ? 64 : 0;
  return is_told(p, "narrow") && p->n_q > 3 ? ATTEST_UNSUPPORTED : ATTEST_OK;
}

const attest_plugin *attest_plugin_table(void) {
  const attest_plugin *const table = without_promises(one_cheat("told", told));
  disguised[0].configurations = "rounded p_format=in\nwrong\nnarrow";
  disguised[0].workspace_bytes = workspace;
  return table;
}
