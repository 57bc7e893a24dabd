// bits_promise.hpp - who promises that the same values, on the same unit and under the same
// schedule seed, give the same bits.
#pragma once

#include "core/subject.hpp"

namespace attest {

// A subject whose promise is its own to make is one of these as well.
class BitsPromise {
 public:
  BitsPromise() = default;
  BitsPromise(const BitsPromise&) = delete;
  BitsPromise& operator=(const BitsPromise&) = delete;
  virtual ~BitsPromise() = default;

  [[nodiscard]] virtual bool holds() const = 0;
};

// For all others the unit decides: an emulator repeats every bit, a device need not.
[[nodiscard]] inline bool repeats_bits(const Subject& subject, Unit unit) {
  const auto* own = dynamic_cast<const BitsPromise*>(&subject);
  return own != nullptr ? own->holds() : unit != Unit::device;
}

}  // namespace attest
