// attest/matcher.hpp - one line of GoogleTest that judges an attention kernel:
//
//   EXPECT_THAT(attest::Plugin("./libmine.so"), attest::IsAccepted());
//   EXPECT_THAT((attest::Forward{problem, q, k, v, o, lse}), attest::IsAccepted(numerics,
//   semantics));
//
// A failure shows attest's report: the element, the exact answer, the budget and its largest terms.
// A plug-in's report ends with a command that replays the smallest case that fails. Needs gmock.
#pragma once

#include <gmock/gmock.h>
#include <attest/report.hpp>

#include <ostream>
#include <string>
#include <utility>

namespace attest {

// What a failure shows as the value.
inline void PrintTo(const Plugin& plugin, std::ostream* out) { *out << "plug-in " << plugin.path; }
inline void PrintTo(const Forward& computed, std::ostream* out) {
  *out << "a forward pass of " << detail::problem_text(computed.problem, "fwd");
}
inline void PrintTo(const Backward& computed, std::ostream* out) {
  *out << "a backward pass of " << detail::problem_text(computed.problem, "bwd");
}

namespace detail {

class AcceptedMatcher {
 public:
  using is_gtest_matcher = void;

  explicit AcceptedMatcher(Declared declared) : declared_(std::move(declared)) {}

  // A plug-in declares for itself.
  bool MatchAndExplain(const Plugin& plugin, testing::MatchResultListener* listener) const {
    return told(check(plugin), listener);
  }
  template <class Pass>
  bool MatchAndExplain(const Pass& computed, testing::MatchResultListener* listener) const {
    return told(judge(computed, declared_), listener);
  }
  void DescribeTo(std::ostream* out) const { *out << "is accepted by attest"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "is not accepted by attest"; }

 private:
  static bool told(const Report& report, testing::MatchResultListener* listener) {
    *listener << "of which attest says:\n" << report.text;
    return report.accepted;
  }

  Declared declared_;
};

}  // namespace detail

// Matches Forward, Backward and Plugin. `numerics` and `semantics` are texts as attest/subject.h
// has them, and of no use for a Plugin. Throws std::runtime_error where there is no verdict, which
// fails a test with Not(IsAccepted()) as well. Anything but *accepted* is no match, *undecided*
// included.
inline detail::AcceptedMatcher IsAccepted(std::string numerics = "", std::string semantics = "") {
  return detail::AcceptedMatcher({std::move(numerics), std::move(semantics)});
}

}  // namespace attest
