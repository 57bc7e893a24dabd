// enclosure.hpp - an interval proved to hold an exact real number, and the class of the answer.
#pragma once

#include <cstdint>

namespace attest {

// The exact value lies in [lo, hi]. lo <= hi; ends are binary64 rounded outward and may be
// infinite where the value is beyond binary64.
struct Enclosure {
  double lo = 0;
  double hi = 0;
  friend bool operator==(const Enclosure&, const Enclosure&) = default;
};

// What kind of thing the exact answer is. Classes are judged before numbers.
enum class OutputClass : std::uint8_t {
  finite,     // A real number, held by the element's enclosure.
  nan,        // A live NaN, or a form without a value such as inf - inf, reaches the element.
  plus_inf,   // The exact answer itself is infinite: a live infinity reaches the element.
  minus_inf,  // Likewise.
  undefined,  // Live infinities whose effect no convention fixes: nothing is judged.
  dead,       // The row has no live key: the subject's declared dead-row value is due.
  beyond,     // The row lies at or beyond lq: nothing is computed there.
};

}  // namespace attest
