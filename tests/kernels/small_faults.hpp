// small_faults.hpp - faults of the plain kernel that stay near the rounding it declares.
//
// Not canaries: no class of wrong results in the field, but what a budget must be sharp enough to
// reject. Each is a subject named fault/..., with the healthy kernel's declaration.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "kernels/canaries/plain_subject.hpp"

namespace attest {

struct ConstantInF16 : NoFault {
  static float constant(float c) { return round_to_narrow(Format::f16, c); }
};

struct ScoresInBf16 : NoFault {
  static float score(float x) { return round_to_narrow(Format::bf16, x); }
};

struct CubicExp2 : NoFault {
  // 2^f on [0, 1) by the cubic with value 1 at 0 of least relative error, 2^-13.5.
  static float exp2(float z) {
    const float whole = std::floor(z);
    if (!(whole > -1000)) return NoFault::exp2(z);  // 0, or NaN
    const float f = z - whole;
    const float cubic =
        std::fma(std::fma(std::fma(0x1.3baaa6p-4f, f, 0x1.d2378ap-3f), f, 0x1.63e658p-1f), f, 1.0f);
    return std::ldexp(cubic, static_cast<int>(whole));
  }
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
  static Index row_end(const RowAt& at, Index begin, Index end) {
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
