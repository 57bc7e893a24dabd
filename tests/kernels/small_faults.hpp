// small_faults.hpp - faults of the plain kernel that stay near the rounding it declares.
//
// What a budget must be sharp enough to reject; two of them are canaries, too. Each is a subject
// named fault/..., with the healthy kernel's declaration.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "kernels/canaries/faults/m36_coarse_arithmetic.hpp"
#include "kernels/canaries/plain_subject.hpp"

namespace attest {

struct ConstantInF16 : NoFault {
  static float constant(float c) { return round_to_narrow(Format::f16, c); }
};

struct DotInF16 : NoFault {
  static float dot_sum(float sum) { return round_to_narrow(Format::f16, sum); }
};

struct RowSumInBf16 : NoFault {
  static float row_sum(float l) { return round_to_narrow(Format::bf16, l); }
};

struct LseInBf16 : NoFault {
  static float lse(float value) { return round_to_narrow(Format::bf16, value); }
};

// Row 0 of head 0 loses its last key, unless it is the only one.
struct LastKeyDropped : NoFault {
  static Index row_end(const Problem&, const RowAt& at, Index begin, Index end) {
    const bool first = at.b == 0 && at.h == 0 && at.i == 0;
    return first && end - begin >= 2 ? end - 1 : end;
  }
};

inline std::vector<std::unique_ptr<Subject>> small_faults() {
  std::vector<std::unique_ptr<Subject>> faults;
  faults.push_back(std::make_unique<PlainSubject<ConstantInF16>>("fault/constant-in-f16"));
  faults.push_back(std::make_unique<PlainSubject<ScoresInBf16>>("fault/scores-in-bf16"));
  faults.push_back(std::make_unique<PlainSubject<CubicExp2>>("fault/cubic-exp2"));
  faults.push_back(std::make_unique<PlainSubject<DotInF16>>("fault/dot-in-f16"));
  faults.push_back(std::make_unique<PlainSubject<RowSumInBf16>>("fault/row-sum-in-bf16"));
  faults.push_back(std::make_unique<PlainSubject<LseInBf16>>("fault/lse-in-bf16"));
  faults.push_back(std::make_unique<PlainSubject<LastKeyDropped>>("fault/last-key-dropped"));
  return faults;
}

}  // namespace attest
