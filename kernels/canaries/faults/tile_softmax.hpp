// tile-softmax - each tile of keys is normalised on its own and the results are added.
//
// The first idea of everybody who tiles a softmax; no class of the catalogue, since it never ships.
// One live tile hides it. Smallest: 17 keys, where V = 1 gives 2; LSE is the last tile's.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/canaries/no_fault.hpp"

namespace attest {

struct TileSoftmax : NoFault {
  static constexpr std::string_view kName = "canary/tile-softmax";
  static constexpr std::string_view kCode = "";
  static constexpr std::string_view kFault = "softmax is normalised per tile instead of per row";
  static constexpr std::string_view kLaw = "accuracy";
  static constexpr Index kMostKeys = 64;

  void enter_tile(RowState& row) {
    if (row.l == 0) return;
    earlier_.resize(row.acc.size());
    for (std::size_t k = 0; k < earlier_.size(); ++k) earlier_[k] += row.acc[k] / row.l;
    std::fill(row.acc.begin(), row.acc.end(), 0.0f);
    row.m = kMinusInfinity;
    row.l = 0;
  }

  [[nodiscard]] float quotient(float acc, float l, Index column) const {
    return earlier_.empty() ? acc / l : earlier_[static_cast<std::size_t>(column)] + acc / l;
  }

 private:
  std::vector<float> earlier_;  // the sum of the finished tiles' outputs
};

}  // namespace attest
