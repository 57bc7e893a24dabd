// filter.hpp - which cases, subjects and laws a run looks at: "family=F7,F21;nk>=64;law=accuracy".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"

namespace attest {

class Filter {
 public:
  Filter() = default;
  // Keys are those of the case string (numbers also with < <= > >= !=) and law, family, subject;
  // values may hold '*' and alternatives separated by ','. Throws Error (usage).
  explicit Filter(std::string_view text);

  [[nodiscard]] bool empty() const { return clauses_.empty(); }
  // As it was given.
  [[nodiscard]] const std::string& text() const { return text_; }
  // Clauses on law and subject are met by every case; those have their own questions.
  [[nodiscard]] bool admits_case(const Case& c) const;
  [[nodiscard]] bool admits_law(std::string_view name) const;
  [[nodiscard]] bool admits_subject(std::string_view name) const;

 private:
  struct Clause {
    std::string key;
    std::string comparison;
    std::vector<std::string> values;
    [[nodiscard]] bool meets(std::string_view value) const;
  };
  std::string text_;
  std::vector<Clause> clauses_;
};

}  // namespace attest
