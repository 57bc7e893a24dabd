// Goal: a sound golden in which anything was changed, behind the checksums of HDF5, is a golden or
// is refused as ours.
//
// The bytes are edits of it, a few each: which entry, what is done with it, and with what.
#include <algorithm>

#include "fixtures/golden_file.hpp"
#include "fixtures/sha256.hpp"
#include "fixtures/stored_tensors.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace attest {
namespace {

const std::string kCase =
    "attest1:b=1;hq=1;hk=1;nq=1;nk=2;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
    "align=br;pass=fwd;data=q:3c00,k:3c003c00,v:3c004000";

void set_digest(Hdf5Contents& contents) {
  std::vector<std::byte> all;
  for (const auto& [name, dataset] : contents.datasets) {
    all.insert(all.end(), dataset.bytes.begin(), dataset.bytes.end());
  }
  contents.strings["digest"] = sha256_of_bytes(all);
}

Hdf5Dataset zeros(Hdf5Element element, std::vector<Index> extents, std::size_t count) {
  return {element, std::move(extents), std::vector<std::byte>(count * bytes_of(element))};
}

Hdf5Contents sound_contents() {
  Hdf5Contents contents;
  contents.integers["schema"] = kGoldenSchema;
  contents.strings = {{"case", kCase}, {"flags", "canary/m23"}, {"hunts", "x"}, {"provenance", ""}};
  const Case c = parse_case(kCase);
  store_inputs(contents, c.problem, std::get<Inputs>(c.data));
  contents.datasets["o"] = zeros(Hdf5Element::f64, {1, 1, 1, 1, 2}, 2);
  contents.datasets["o_class"] = zeros(Hdf5Element::u8, {1, 1, 1, 1}, 1);
  contents.datasets["lse"] = zeros(Hdf5Element::f64, {1, 1, 1, 2}, 2);
  contents.datasets["lse_class"] = zeros(Hdf5Element::u8, {1, 1, 1}, 1);
  set_digest(contents);
  return contents;
}

// Takes what the input still has.
class Edits {
 public:
  explicit Edits(std::span<const std::uint8_t> left) : left_(left) {}

  [[nodiscard]] bool any() const { return !left_.empty(); }
  std::uint8_t number() {
    if (left_.empty()) return 0;
    const std::uint8_t one = left_.front();
    left_ = left_.subspan(1);
    return one;
  }
  // Up to 255 bytes behind their number.
  std::string text() {
    const std::size_t wanted = number();
    const std::size_t size = std::min(wanted, left_.size());
    const std::string taken(text_of(left_.data(), size));
    left_ = left_.subspan(size);
    return taken;
  }
  template <class Map>
  auto& entry_of(Map& map) {
    return std::next(map.begin(), number() % static_cast<int>(map.size()))->second;
  }

 private:
  std::span<const std::uint8_t> left_;
};

void edit_dataset(Edits& edits, Hdf5Contents& contents) {
  Hdf5Dataset& dataset = edits.entry_of(contents.datasets);
  switch (edits.number() % 4) {
    case 0: dataset.element = static_cast<Hdf5Element>(edits.number() % 5); break;
    case 1: dataset.extents.push_back(edits.number()); break;
    case 2: dataset.extents[edits.number() % dataset.extents.size()] = edits.number(); break;
    default:
      for (std::byte& byte : dataset.bytes) byte = static_cast<std::byte>(edits.number());
  }
  // What a file can hold has as many bytes as its extents say.
  std::size_t size = bytes_of(dataset.element);
  for (const Index extent : dataset.extents) size *= static_cast<std::size_t>(extent);
  dataset.bytes.resize(std::min<std::size_t>(size, 1 << 16));
}

void edit(Edits& edits, Hdf5Contents& contents) {
  switch (edits.number() % 8) {
    case 0: edits.entry_of(contents.integers) = edits.number(); break;
    case 1: edits.entry_of(contents.strings) = edits.text(); break;
    case 2: contents.strings["case"] = edits.text(); break;
    case 3: contents.unread.push_back(edits.text()); break;
    case 4: contents.datasets[edits.text()] = zeros(Hdf5Element::u16, {1}, 1); break;
    case 5: set_digest(contents); break;
    case 6: {
      std::string& text = edits.entry_of(contents.strings);
      if (!text.empty()) text[edits.number() % text.size()] = static_cast<char>(edits.number());
      break;
    }
    default: edit_dataset(edits, contents);
  }
}

}  // namespace
}  // namespace attest

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest;
  static const Hdf5Contents sound = sound_contents();
  Hdf5Contents contents = sound;
  for (Edits edits({data, size}); edits.any();) edit(edits, contents);
  read_any(
      Blame::ours, [&] { return golden_of(contents, "golden"); },
      [](const Golden& golden) {
        ATTEST_EXPECTS(has_shapes_of(golden.inputs, golden.problem));
        ATTEST_EXPECTS(parse_case(golden.case_text).problem == golden.problem);
      });
  return 0;
}
