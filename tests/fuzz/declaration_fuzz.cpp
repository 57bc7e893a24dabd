// Goal: any text is a declaration (numerics, semantics, capabilities, promises, configurations), or
// is refused as the user's; what has a canonical text reads back from it.
#include "core/numerics.hpp"
#include "core/semantics.hpp"
#include "harness/subjects/capabilities.hpp"
#include "harness/subjects/declared_configurations.hpp"
#include "tests/fuzz/fuzz_target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest;
  const std::string_view text = text_of(data, size);
  read_any(
      Blame::usage, [&] { return parse_numerics(text); },
      [](const Numerics& n) { ATTEST_EXPECTS(parse_numerics(to_string(n)) == n); });
  read_any(
      Blame::usage, [&] { return parse_semantics(text); },
      [](const Semantics& s) { ATTEST_EXPECTS(parse_semantics(to_string(s)) == s); });
  read_any(
      Blame::usage, [&] { return parse_capabilities(text); },
      [](const Capabilities& c) {
        const Problem smallest;
        ATTEST_EXPECTS(c.alignment > 0 && (beyond(c, smallest) != "" || c.formats.empty()));
      });
  read_any(
      Blame::usage, [&] { return parse_promises(text); }, [](const Promises&) {});
  read_any(
      Blame::usage, [&] { return parse_configurations(text, "unit=h100"); },
      [](const std::vector<DeclaredConfiguration>& all) {
        for (const DeclaredConfiguration& one : all) ATTEST_EXPECTS(!one.name.empty());
      });
  return 0;
}
