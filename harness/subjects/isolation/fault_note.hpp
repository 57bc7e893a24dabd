// fault_note.hpp - the last words of a worker that touches what it must not: they stand on the
// first page of its arena, and whoever finds it dead reads them there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/subject.hpp"
#include "harness/subjects/isolation/messages.hpp"

namespace attest {

struct FaultNote {
  std::uint64_t signal;    // 0: none
  std::uint64_t offset;    // of the address, from the start of the region; may wrap around
  std::uint64_t is_write;  // 1 if it was one, where the processor tells
};

// What a worker did that died of it, during this request. Requires: note.signal is not 0.
[[nodiscard]] RunOutcome explain_fault(const FaultNote& note, const WorkerRequest& request);

}  // namespace attest
