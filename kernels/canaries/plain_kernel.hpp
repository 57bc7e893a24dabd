// plain_kernel.hpp - the forward of the plain kernel: every row by plain_rows.hpp, rounded and
// stored.
//
// With Fault = NoFault it is the bundled subject `plain`; a fault replaces one decision. The
// declaration of the arithmetic is numerics_of (plain_config.hpp).
#pragma once

#include "kernels/canaries/plain_rows.hpp"

namespace attest {

template <class Fault>
class PlainForward {
 public:
  PlainForward(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
               const PlainConfig& config)
      : p_(problem), out_(outputs), rows_(problem, inputs, config) {}

  void run() {
    for (Index b = 0; b < p_.batch; ++b) {
      Index loaded = -1;  // query heads of one group share their keys
      for (Index h = 0; h < p_.heads_q; ++h) {
        const Index key_head = Fault{}.key_head(p_, h);
        if (key_head != loaded) rows_.load_keys(b, key_head);
        loaded = key_head;
        for (Index i = 0; i < p_.n_q; ++i) {
          const RowAt at{b, h, i};
          const bool live = i < p_.live_queries(b) && rows_.attend(at);
          if (!Fault{}.stores_row(p_, i)) continue;
          const RowAt stored{Fault{}.stored_entry(b), h, i};
          live ? store(stored) : store_dead(stored);
        }
      }
    }
  }

 private:
  void store(const RowAt& at) {
    o_ = rows_.row().o;
    for (float& o : o_) o = Fault{}.output(out_.o.format, o);
    store_row(out_.o, at.b, at.h, at.i, o_.data());
    store_lse(at, Fault{}.lse(rows_.row().lse));
  }

  void store_dead(const RowAt& at) {
    clear_row(out_.o, at.b, at.h, at.i);
    store_lse(at, kMinusInfinity);
  }

  void store_lse(const RowAt& at, float lse) { store_row(out_.lse, at.b, at.h, at.i, &lse); }

  const Problem& p_;
  const ForwardOutputs& out_;
  PlainRows<Fault> rows_;
  std::vector<float> o_;  // one row
};

// Computes O and LSE of the whole problem.
// Requires: inputs in f32, f16 or bf16, O in one of them, LSE in f32; config.tile_k >= 1.
template <class Fault>
void run_plain(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
               const PlainConfig& config) {
  PlainForward<Fault>(problem, inputs, outputs, config).run();
}

}  // namespace attest
