// dice.hpp - what the climbs on error / budget draw with. Fixed seeds and no library distribution:
// the same climb on every machine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

#include "core/format.hpp"
#include "core/tensor.hpp"
#include "tests/kernels/runs.hpp"

namespace attest {

class ClimbDice {
 public:
  explicit ClimbDice(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  Index between(Index least, Index most) {
    return least + static_cast<Index>(below(static_cast<std::uint64_t>(most - least + 1)));
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T>
  T any_of(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  double real(double size) {  // of either sign, with 12 bits
    return size * (static_cast<double>(below(8193)) - 4096) / 4096;
  }

 private:
  std::mt19937_64 random_;
};

// Any finite pattern, each as likely as another.
inline std::uint64_t finite_bits(Format format, ClimbDice& dice) {
  while (true) {
    const std::uint64_t bits = dice.below(std::uint64_t{1} << shape_of(format).bits);
    const ValueClass c = classify(format, bits);
    if (c != ValueClass::nan && c != ValueClass::infinite) return bits;
  }
}

// Every element anew, by new_bits(); sometimes most of them the same.
template <class NewBits>
void renew(Tensor& tensor, ClimbDice& dice, NewBits new_bits) {
  const bool tied = dice.one_in(4);
  const std::uint64_t tie = new_bits();
  for_each(tensor.extents(), [&](Index b, Index h, Index row, Index column) {
    const bool same = tied && !dice.one_in(4);
    tensor.view().set_bits(b, h, row, column, same ? tie : new_bits());
  });
}

}  // namespace attest
