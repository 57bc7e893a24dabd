// declared_numerics.hpp - the numerics of a subject that takes several formats, in one text.
//
// A table of subjects declares one text for all problems. A format that follows the problem's is
// written `in` (that of q, k and v) or `out` (that of O and the gradients): p_format=in.
#pragma once

#include <string>
#include <string_view>

#include "core/numerics.hpp"
#include "core/problem.hpp"

namespace attest {

class DeclaredNumerics {
 public:
  DeclaredNumerics() = default;
  // Throws Error (usage) where the text has no meaning, whatever the formats.
  explicit DeclaredNumerics(std::string_view text);

  [[nodiscard]] Numerics of(const Problem& problem) const;
  [[nodiscard]] std::optional<Unit> unit() const { return unit_; }

 private:
  std::string text_;
  std::optional<Unit> unit_;
};

}  // namespace attest
