// reproducer_text.hpp - the texts of which reproduce.cpp is made; @names@ stand for what differs.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace attest {

using TextParts = std::map<std::string, std::string, std::less<>>;

// Every @name@ replaced by its part. Requires: each has one.
[[nodiscard]] std::string filled(std::string_view text, const TextParts& parts);

// Whole programs: for one element, for a run that does not end well, for a law that compares calls.
extern const std::string kElementProgram;
extern const std::string kRunProgram;
extern const std::string kLawProgram;

// Parts of the first: the call, and what is wrong with the element.
extern const std::string kForwardCall;
extern const std::string kBackwardCall;
extern const std::string kRuleOfBudget;  // an interval, widened by the budget
extern const std::string kRuleOfSet;     // the values that a replay accepts
extern const std::string kRuleOfClass;   // NaN, an infinity, a declared value: other bits are due

}  // namespace attest
