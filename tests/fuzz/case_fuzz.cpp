// Goal: any text is a case or a problem that prints as a text that reads back to it, or is refused
// as the user's.
#include "core/case.hpp"
#include "tests/fuzz/fuzz_target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest;
  const std::string_view text = text_of(data, size);
  read_any(
      Blame::usage, [&] { return parse_case(text); },
      [](const Case& c) {
        ATTEST_EXPECTS(defect_of(c.problem).empty());
        ATTEST_EXPECTS(parse_case(to_string(c)) == c);
      });
  read_any(
      Blame::usage, [&] { return parse_problem(text); },
      [](const Problem& p) { ATTEST_EXPECTS(parse_problem(to_string(p)) == p); });
  return 0;
}
