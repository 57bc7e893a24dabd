// canary_runs.hpp - runs of canaries beside the healthy kernel.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {

// Requires: a canary of that name.
inline const Canary& canary_named(std::string_view name) {
  const auto found = std::ranges::find(canaries(), name, &Canary::name);
  ATTEST_EXPECTS(found != canaries().end());
  return *found;
}

// What is right on the same cases.
inline std::unique_ptr<Subject> control_of(const Canary& canary) {
  const auto form = std::ranges::find(plain_forms(), canary.control, &PlainForm::name);
  const bool plain = form == plain_forms().end();
  return make_plain(std::string(canary.control), plain ? PlainConfig{} : form->config);
}

inline Result run_canary(std::string_view name, const Problem& p, const Inputs& inputs) {
  return run(*canary_named(name).make(), p, inputs);
}

inline Result run_plain(const Problem& p, const Inputs& inputs) {
  return run(*make_plain("plain"), p, inputs);
}

inline double o_of(const Result& result, Index h = 0) { return result.o.view().value(0, h, 0, 0); }

// O, LSE and, where the problem asks for them, the gradients have the control's bits.
inline void expect_harmless(std::string_view name, const Problem& p, const Inputs& inputs) {
  const auto canary = canary_named(name).make();
  const auto healthy = control_of(canary_named(name));
  const Result forward = run(*healthy, p, inputs);
  EXPECT_EQ(run(*canary, p, inputs), forward) << name << " " << to_string(p);
  if (p.pass == Pass::fwd) return;
  EXPECT_EQ(run_backward(*canary, p, inputs, forward), run_backward(*healthy, p, inputs, forward))
      << name << " " << to_string(p);
}

// Three tiles, the last one ragged; two heads; nothing masked.
inline Problem three_tiles(Pass pass = Pass::fwd) {
  Problem p;
  p.heads_q = 2;
  p.heads_k = 2;
  p.n_q = 5;
  p.n_k = 41;
  p.d_qk = 8;
  p.d_v = 4;
  p.scale = default_scale(8);
  p.pass = pass;
  return p;
}

// Faulty and healthy gradients from the healthy forward.
struct Both {
  GradientTensors faulty;
  GradientTensors healthy;
};

inline Both run_both(std::string_view name, const Problem& p, const Inputs& inputs) {
  const auto control = control_of(canary_named(name));
  const Result forward = run(*control, p, inputs);
  return {run_backward(*canary_named(name).make(), p, inputs, forward),
          run_backward(*control, p, inputs, forward)};
}

}  // namespace attest
