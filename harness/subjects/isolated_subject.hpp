// isolated_subject.hpp - a bundled subject by the path that plug-ins take: in a worker, several
// calls a run, between guard pages.
#pragma once

#include <memory>

#include "core/subject.hpp"
#include "harness/subjects/isolation/isolated_calls.hpp"

namespace attest {

// `bundled` runs in workers of the calls, which serve bundled subjects; all else is its own.
// What its machine counts stays in the worker.
// Requires: `bundled` is in the catalogue and outlives the result.
[[nodiscard]] std::unique_ptr<Subject> isolated(const Subject& bundled,
                                                std::shared_ptr<IsolatedCalls> calls);

}  // namespace attest
