// Goal: both ends of a call mean the same tensors.
#include "harness/subjects/isolation/call_shapes.hpp"

#include <gtest/gtest.h>

namespace attest::call_shapes_test {
namespace {

TEST(CallShapes, AreThoseOfTheProblemInOrder) {
  Problem p;
  p.heads_q = 4;
  p.n_q = 3;
  p.n_k = 5;
  p.d_qk = 8;
  p.d_v = 2;
  p.out = Format::f32;
  const auto names = [](const std::vector<CallShape>& shapes) {
    std::string text;
    for (const CallShape& shape : shapes) {
      text += std::string(shape.name) + (shape.by_keys ? "'" : "") + " " +
              std::to_string(shape.size()) + "; ";
    }
    return text;
  };
  EXPECT_EQ(names(input_shapes(p, WorkerStep::forward)), "q 192; k' 80; v' 20; ");
  EXPECT_EQ(names(output_shapes(p, WorkerStep::forward)), "o 96; lse 48; ");
  p.pass = Pass::bwd;
  EXPECT_EQ(names(input_shapes(p, WorkerStep::backward)),
            "q 192; k' 80; v' 20; o 96; lse 48; dout 48; ");
  p.lse_gradient = true;
  EXPECT_EQ(input_shapes(p, WorkerStep::backward).back().name, "glse");
  EXPECT_EQ(names(output_shapes(p, WorkerStep::backward)), "dq 384; dk' 160; dv' 40; ");
}

}  // namespace
}  // namespace attest::call_shapes_test
