// row_dot.hpp - dO.o of one query row for an O that was stored: what D is made of.
#pragma once

#include "core/tensor.hpp"

namespace attest {

struct RowDot {
  double dot = 0;
  double radius = 0;   // the exact sum lies within it
  double size = 0;     // sum_k |dout_k o_k|, upward
  Index products = 0;  // how many dout_k o_k are not zero
  double largest = 0;  // |o_k| of these
  bool known = false;  // all of them are finite, and none of more than 32 bits
};

}  // namespace attest
