// judged_outputs.hpp - what a subject stored for a failing case, with every element's enclosure,
// error and budget: what a report says of one element, of all.
#pragma once

#include <string>
#include <vector>

#include "core/subject.hpp"
#include "fixtures/bundle_file.hpp"
#include "harness/campaign/failure.hpp"

namespace attest {

struct JudgedOutputs {
  RunOutcome outcome;
  std::vector<JudgedTensor> tensors;  // none unless it ran
  std::string view;                   // of gradients: "end to end" or "stage by stage"; else empty
};

// Runs the smallest case, whose values are `inputs`, once. O and LSE are judged as `accuracy` and
// `dead_rows` do, gradients in the view of the failure's law. Where a live NaN may spread nothing
// is judged, as in a campaign.
[[nodiscard]] JudgedOutputs judge_outputs(const Failure& failure, const Inputs& inputs,
                                          const OracleMemory& oracle);

}  // namespace attest
