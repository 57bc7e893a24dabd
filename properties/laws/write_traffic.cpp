// write_traffic: a subject that stores no scores writes no more than O(n d) bytes to global memory,
// and what its declared parts of the keys and atomic additions need (traffic/write_cap.hpp),
// whatever its numbers. Asked of subjects whose machine counts.
#include "properties/laws/laws.hpp"
#include "properties/laws/outcome.hpp"
#include "traffic/work.hpp"
#include "traffic/write_cap.hpp"

namespace attest {
namespace {

// Empty where `use` keeps to `cap`.
std::string excess(std::string_view pass, const MemoryUse& use, Index cap) {
  const Index bytes = bytes_written(use);
  if (bytes <= cap) return {};
  std::string text = "the " + std::string(pass) + " wrote " + std::to_string(bytes) +
                     " bytes to global memory, where without scores " + std::to_string(cap) +
                     " suffice:";
  for (const auto& [tensor, traffic] : use.traffic) {
    if (traffic.bytes_written == 0) continue;
    text += " " + tensor + " " + std::to_string(traffic.bytes_written);
  }
  return text;
}

}  // namespace

LawOutcome check_write_traffic(const LawContext& c) {
  const Numerics numerics = c.subject.numerics(c.problem, c.settings.unit);
  const bool counted = c.memory != nullptr && c.memory->forward.has_value();
  if (!counted || numerics.s_store != ScoreStore::none) return not_applicable();
  std::string why = excess("forward", *c.memory->forward, forward_write_cap(c.problem, numerics));
  if (why.empty() && c.memory->backward) {
    why = excess("backward", *c.memory->backward, backward_write_cap(c.problem, numerics));
  }
  return why.empty() ? LawOutcome{} : rejected(why);
}

}  // namespace attest
