// Goal: any text is an earlier report of attest check, or is refused as the user's.
#include "harness/report/kept_report.hpp"
#include "tests/fuzz/fuzz_target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest;
  read_any(
      Blame::usage, [&] { return parse_kept_report(text_of(data, size)); },
      [](const KeptReport& report) {
        for (const auto& [name, row] : report.rows) ATTEST_EXPECTS(row.laws.contains("run"));
      });
  return 0;
}
