// shape_class.hpp - the kinds of shape that a run must have reached.
#pragma once

#include <span>
#include <string_view>

#include "core/problem.hpp"

namespace attest {

struct ShapeClass {
  std::string_view name;  // "dead_first_tile"
  bool (*holds)(const Problem& problem);
};

[[nodiscard]] std::span<const ShapeClass> shape_classes();

}  // namespace attest
