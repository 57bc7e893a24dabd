/* cheat.h - what the cheats of this folder share: the honest kernel, its declaration, and a table.
 *
 * Each file holds one way in which a plug-in can seem right. cheats_test.cpp says by what each must
 * be rejected. */
#ifndef ATTEST_TESTS_CHEAT_H
#define ATTEST_TESTS_CHEAT_H

#include <attest/subject.h>

#define attest_plugin_table honest_plugin_table
#include "harness/subjects/examples/attention.c"
#undef attest_plugin_table

#define MOST_CHEATS 8

struct cheat {
  const char* name;
  int32_t (*forward)(const attest_forward_call*);
};

static inline int64_t size_of(const attest_tensor* t) {
  return t->shape[0] * t->shape[1] * t->shape[2] * t->shape[3];
}

static inline size_t bytes_of(const attest_tensor* t) {
  return (size_t)size_of(t) * t->dtype.bits / 8;
}

/* Everything that the honest kernel declares, under other names and with other functions. */
static attest_subject disguised[MOST_CHEATS];
static const attest_plugin* cheat_table(const struct cheat* cheats, uint32_t count) {
  static const attest_subject* disguises[MOST_CHEATS];
  static attest_plugin made = {ATTEST_ABI_MAJOR, sizeof made, 0, disguises};
  for (uint32_t n = 0; n < count; ++n) {
    disguised[n] = attention;
    disguised[n].name = cheats[n].name;
    disguised[n].forward = cheats[n].forward;
    disguises[n] = &disguised[n];
  }
  made.subject_count = count;
  return &made;
}

/* Nor do they promise to repeat themselves. */
static inline const attest_plugin* without_promises(const attest_plugin* table) {
  for (uint32_t n = 0; n < table->subject_count; ++n) disguised[n].promises = NULL;
  return table;
}

static inline const attest_plugin* one_cheat(const char* name,
                                             int32_t (*function)(const attest_forward_call*)) {
  const struct cheat only = {name, function};
  return cheat_table(&only, 1);
}

#endif
