#include "harness/subjects/isolation/fault_note.hpp"

#include <string_view>

#include "harness/subjects/isolation/arena.hpp"

namespace attest {
namespace {

constexpr std::string_view kInputs[] = {"q", "k", "v", "o", "lse", "dout", "glse"};
constexpr std::string_view kForward[] = {"o", "lse"};
constexpr std::string_view kBackward[] = {"dq", "dk", "dv"};

struct NamedSlice {
  std::string_view name;
  Slice slice;
};

std::vector<NamedSlice> named_slices(const WorkerRequest& request) {
  std::vector<NamedSlice> all;
  for (std::size_t n = 0; n < request.inputs.size() && n < std::size(kInputs); ++n) {
    all.push_back({kInputs[n], request.inputs[n]});
  }
  const bool backward = request.step == WorkerStep::backward;
  const std::size_t names = backward ? std::size(kBackward) : std::size(kForward);
  for (std::size_t n = 0; n < request.outputs.size() && n < names; ++n) {
    all.push_back({backward ? kBackward[n] : kForward[n], request.outputs[n]});
  }
  if (request.workspace) all.push_back({"the workspace", *request.workspace});
  return all;
}

}  // namespace

RunOutcome explain_fault(const FaultNote& note, const WorkerRequest& request) {
  using Kind = RunOutcome::Kind;
  const std::string verb = note.is_write != 0 ? "wrote" : "read";
  for (const auto& [name, slice] : named_slices(request)) {
    const std::uint64_t end = slice.address + slice.pages * kPageBytes;
    if (note.offset + kGuardGap / 2 < slice.address || note.offset >= end + kGuardGap / 2) continue;
    const std::uint64_t begin = slice.address + slice.begin;
    const std::string of(name);
    if (note.offset < begin) {
      return {Kind::out_of_bounds,
              verb + " byte " + std::to_string(begin - note.offset) + " before the start of " + of};
    }
    if (note.offset >= begin + slice.size) {
      return {Kind::out_of_bounds, verb + " byte " +
                                       std::to_string(note.offset - begin - slice.size + 1) +
                                       " past the end of " + of};
    }
    return {Kind::changed_inputs,
            verb + " to " + of + ", byte " + std::to_string(note.offset - begin)};
  }
  return {Kind::crashed, "ended by signal " + std::to_string(note.signal)};
}

}  // namespace attest
