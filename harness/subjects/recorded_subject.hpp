// recorded_subject.hpp - a recorded call as a subject that computes its one problem, once and again
// with the same outputs.
#pragma once

#include <memory>

#include "core/subject.hpp"
#include "harness/subjects/recorded_call.hpp"

namespace attest {

inline constexpr std::string_view kRecordedName = "outputs";

// Declines any other problem. Other inputs of the same problem get the same outputs, so that only
// laws that look at one run can judge it. Its one unit is the declared one, or the device.
[[nodiscard]] std::unique_ptr<Subject> recorded_subject(RecordedCall call);

}  // namespace attest
