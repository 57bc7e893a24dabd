#include "oracle/enclose_backward.hpp"

#include <algorithm>

#include "core/contract.hpp"
#include "oracle/gradient_classes.hpp"
#include "oracle/solve_head.hpp"

namespace attest {

BackwardAnswer enclose_backward(const Problem& problem, const Inputs& inputs,
                                const std::optional<StoredForward>& stored, Precision precision) {
  ATTEST_EXPECTS(problem.pass == Pass::bwd && has_shapes_of(inputs, problem));
  BackwardAnswer answer = empty_answer(problem);
  for (Index b = 0; b < problem.batch; ++b) {
    for (Index h_k = 0; h_k < problem.heads_k; ++h_k) {
      const HeadTask task = read_head_task(problem, inputs, stored, b, h_k);
      const int bits = solve_head(task, precision, answer);
      answer.bits = answer.bits == 0 ? bits : std::min(answer.bits, bits);
      settle_classes(task, answer);
    }
  }
  return answer;
}

}  // namespace attest
