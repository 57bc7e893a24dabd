// Goal: each way in which a run may end has its own name, and the exit status tells misconduct from
// a broken promise.
#include "core/subject.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest::subject_test {
namespace {

using Kind = RunOutcome::Kind;

TEST(RunOutcome, HasADistinctNameForEachKind) {
  std::set<std::string_view> names;
  const auto last = static_cast<std::uint8_t>(Kind::malformed_reply);
  for (std::uint8_t kind = 0; kind <= last; ++kind) names.insert(name_of(static_cast<Kind>(kind)));
  EXPECT_EQ(names.size(), last + 1U);
}

TEST(RunOutcome, CallsMisconductWhatIsNeitherARunNorABrokenPromise) {
  for (const Kind kind : {Kind::ran, Kind::unsupported, Kind::nondeterministic}) {
    EXPECT_FALSE(is_misconduct(kind)) << name_of(kind);
  }
  for (const Kind kind :
       {Kind::crashed, Kind::broke_rules, Kind::failed, Kind::hung, Kind::out_of_bounds,
        Kind::changed_inputs, Kind::left_unwritten, Kind::malformed_reply}) {
    EXPECT_TRUE(is_misconduct(kind)) << name_of(kind);
  }
}

}  // namespace
}  // namespace attest::subject_test
