// wish.hpp - what a plan asks of the draw of one case.
#pragma once

#include <cstdint>

#include "properties/covering/parameter.hpp"

namespace attest {

struct Wish {
  Features features = all_open();
  std::uint64_t attempt = 0;  // another one is another case: a family's own draws change, too
  friend bool operator==(const Wish&, const Wish&) = default;
};

}  // namespace attest
