// Goal: any image is a golden or is refused as ours, and takes no more memory than its size
// explains.
#include "fixtures/golden_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest;
  const std::vector<std::byte> image = bytes_of(data, size);
  read_any(
      Blame::ours, [&] { return golden_of(read_hdf5(image, "image"), "golden"); },
      [](const Golden& golden) {
        ATTEST_EXPECTS(has_shapes_of(golden.inputs, golden.problem));
        ATTEST_EXPECTS(golden.o.values.size() == golden.o.classes.size());
      });
  return 0;
}
