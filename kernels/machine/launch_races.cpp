#include "kernels/machine/launch_races.hpp"

#include <algorithm>
#include <tuple>

namespace attest {
namespace {

struct Sink {
  std::int64_t element;
  const std::string& tensor;
  std::vector<Finding>& findings;

  void add(int block, Where where, const char* does, int other, Where other_where,
           const char* other_does) const {
    if (!is_somewhere(where) || !is_somewhere(other_where)) return;
    if (is_known(findings, Finding::Kind::race, where, other_where)) return;
    findings.push_back({Finding::Kind::race, where, other_where,
                        "block " + std::to_string(block) + does + "what block " +
                            std::to_string(other) + other_does + " in the same launch, element " +
                            std::to_string(element) + " of " + tensor});
  }
};

// Reading against changing; the caller turns the pair round for the other half.
void add_reads(const TouchedRun& a, const TouchedRun& b, const Sink& sink) {
  sink.add(a.block, a.read, " reads ", b.block, b.written, " writes");
  sink.add(a.block, a.read, " reads ", b.block, b.added, " adds to");
  sink.add(a.block, a.added, " adds to ", b.block, b.written, " writes");
}

void add_races(const TouchedRun& a, const TouchedRun& b, const Sink& sink) {
  sink.add(b.block, b.written, " overwrites ", a.block, a.written, " writes");
  add_reads(a, b, sink);
  add_reads(b, a, sink);
}

}  // namespace

void add_races_between_blocks(std::vector<TouchedRun>& runs, const std::string& tensor,
                              std::vector<Finding>& findings) {
  // The usual case: the tensor was only read, by any number of blocks.
  if (std::ranges::all_of(runs, &TouchedRun::only_read)) return;
  std::ranges::sort(runs, {},
                    [](const TouchedRun& run) { return std::tuple(run.first, run.block); });
  std::vector<const TouchedRun*> open;  // those that may reach beyond the start of the next
  for (const TouchedRun& run : runs) {
    std::erase_if(open, [&](const TouchedRun* other) { return other->end() <= run.first; });
    for (const TouchedRun* other : open) {
      if (other->block == run.block || (other->only_read() && run.only_read())) continue;
      add_races(*other, run, {run.first, tensor, findings});
    }
    open.push_back(&run);
  }
}

}  // namespace attest
