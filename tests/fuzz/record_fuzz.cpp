// Goal: any text is a recorded call that prints as one that reads back to it, or is refused as the
// user's, before memory is taken for tensors that are not there.
#include "harness/subjects/recorded_call.hpp"
#include "tests/fuzz/fuzz_target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest;
  read_any(
      Blame::usage, [&] { return read_recorded_call(text_of(data, size)); },
      [](const RecordedCall& call) {
        const std::string text = to_string(call);
        ATTEST_EXPECTS(to_string(read_recorded_call(text)) == text);
        ATTEST_EXPECTS(has_shapes_of(call.inputs, call.problem));
      });
  return 0;
}
