#include "harness/subjects/isolation/call_shapes.hpp"

#include "core/contract.hpp"

namespace attest {

std::vector<CallShape> input_shapes(const Problem& p, WorkerStep step) {
  ATTEST_EXPECTS(step == WorkerStep::forward || step == WorkerStep::backward);
  std::vector<CallShape> shapes = {{"q", p.in, p.q_extents()},
                                   {"k", p.in, p.k_extents(), true},
                                   {"v", p.in, p.v_extents(), true}};
  if (step == WorkerStep::forward) return shapes;
  shapes.push_back({"o", p.out, p.o_extents()});
  shapes.push_back({"lse", Format::f32, p.lse_extents()});
  shapes.push_back({"dout", p.in, p.o_extents()});
  if (p.lse_gradient) shapes.push_back({"glse", Format::f32, p.lse_extents()});
  return shapes;
}

std::vector<CallShape> output_shapes(const Problem& p, WorkerStep step) {
  ATTEST_EXPECTS(step == WorkerStep::forward || step == WorkerStep::backward);
  if (step == WorkerStep::forward) {
    return {{"o", p.out, p.o_extents()}, {"lse", Format::f32, p.lse_extents()}};
  }
  return {{"dq", p.out, p.q_extents()},
          {"dk", p.out, p.k_extents(), true},
          {"dv", p.out, p.v_extents(), true}};
}

}  // namespace attest
