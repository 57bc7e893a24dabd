// Goal: whatever ends a worker, each case is accounted for, and nothing is left of it.
#include "tests/harness/subjects/fault_injection.hpp"

namespace attest {
namespace {

TEST(FaultInjection, AccountsForEveryCaseAndLeaksNothing) {
  inject_faults(100, 20, std::chrono::milliseconds(500));
}

}  // namespace
}  // namespace attest
