// plugin.cpp - the kernel behind attest/subject.h, and a copy of it with a bug, so that there is
// something to reject.
#include <attest/subject.h>

#include "kernel.hpp"

namespace {

// Row-major, as every tensor of a call is.
template <class T>
T* data_of(const attest_tensor* tensor) {
  return reinterpret_cast<T*>(static_cast<char*>(tensor->data) + tensor->byte_offset);
}

int32_t run(const attest_forward_call* c, Fault fault) {
  const attest_problem& p = *c->problem;
  const Sizes sizes = {p.n_q, p.n_k, p.d_qk, p.d_v, p.scale};
  for (int64_t head = 0; head < p.batch * p.heads_q; ++head) {
    attend(sizes, data_of<const uint16_t>(c->q) + head * p.n_q * p.d_qk,
           data_of<const uint16_t>(c->k) + head * p.n_k * p.d_qk,
           data_of<const uint16_t>(c->v) + head * p.n_k * p.d_v,
           data_of<uint16_t>(c->o) + head * p.n_q * p.d_v, data_of<float>(c->lse) + head * p.n_q,
           fault);
  }
  return ATTEST_OK;
}

int32_t forward(const attest_forward_call* c) { return run(c, Fault::none); }
int32_t forward_with_bug(const attest_forward_call* c) { return run(c, Fault::last_key_dropped); }

attest_subject declared(const char* name, int32_t (*function)(const attest_forward_call*)) {
  attest_subject subject = {};
  subject.struct_size = sizeof subject;
  subject.name = name;
  subject.about = "bf16, one pass over the keys";
  subject.capabilities = "formats=bf16";  // no mask, no lengths, as many key heads as query heads
  subject.semantics = kSemantics;
  subject.numerics = kNumerics;
  subject.promises = "deterministic=yes;batch_invariant=yes";
  subject.forward = function;
  return subject;
}

}  // namespace

extern "C" const attest_plugin* attest_plugin_table(void) {
  static const attest_subject healthy = declared("streaming", forward);
  static const attest_subject wrong = declared("last-key-dropped", forward_with_bug);
  static const attest_subject* const subjects[] = {&healthy, &wrong};
  static const attest_plugin table = {ATTEST_ABI_MAJOR, sizeof table, 2, subjects};
  return &table;
}
