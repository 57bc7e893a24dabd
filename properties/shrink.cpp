#include "properties/shrink.hpp"

#include <algorithm>
#include <iterator>

#include "properties/draw.hpp"
#include "properties/shrinking/shapes.hpp"
#include "properties/shrinking/values.hpp"

namespace attest {

std::vector<Case> shrink(const Case& c) {
  // Values in a file cannot be cropped without reading it; whoever reads it shrinks the literal.
  if (std::holds_alternative<FileData>(c.data)) return {};
  const Inputs inputs = materialise(c);
  std::vector<Case> candidates = smaller_shapes(c, inputs);
  std::vector<Case> plainer = plainer_problems(c);
  std::ranges::move(plainer, std::back_inserter(candidates));
  if (bytes_of(inputs) <= kLargestLiteral) {
    for (Inputs& simpler : simpler_values(inputs)) {
      candidates.push_back({c.problem, std::move(simpler)});
    }
  }
  std::erase_if(candidates,
                [](const Case& candidate) { return !defect_of(candidate.problem).empty(); });
  return candidates;
}

Shrunk shrink_failure(const Case& failing, const std::function<bool(const Case&)>& still_fails,
                      std::chrono::steady_clock::time_point deadline) {
  Shrunk shrunk{.smallest = failing};
  bool progress = true;
  while (progress) {
    progress = false;
    for (const Case& candidate : shrink(shrunk.smallest)) {
      if (std::chrono::steady_clock::now() >= deadline) {
        shrunk.out_of_time = true;
        return shrunk;
      }
      ++shrunk.tried;
      if (!still_fails(candidate)) continue;
      ++shrunk.steps;
      shrunk.smallest = candidate;
      progress = true;
      break;
    }
  }
  return shrunk;
}

}  // namespace attest
