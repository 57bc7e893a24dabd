// declared_configurations.hpp - the configurations that a subject from elsewhere offers, and the
// numerics of each, from one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/subjects/declared_numerics.hpp"

namespace attest {

struct DeclaredConfiguration {
  std::string name;
  DeclaredNumerics numerics;  // the subject's, but for what this one's line replaces
};

// A line each: "NAME" or "NAME key=value;key=value". `numerics` is the subject's own text. Throws
// Error (usage) on a name that is odd or comes twice, on numerics without a meaning, and on another
// unit than the subject's.
[[nodiscard]] std::vector<DeclaredConfiguration> parse_configurations(std::string_view text,
                                                                      std::string_view numerics);

}  // namespace attest
