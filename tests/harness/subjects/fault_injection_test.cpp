// Goal: whatever ends a worker, each case is accounted for, and nothing is left of it.
#include "tests/harness/subjects/fault_injection.hpp"

namespace attest {
namespace {

TEST(FaultInjection, AccountsForEveryCaseAndLeaksNothing) { inject_faults(200, 20); }

}  // namespace
}  // namespace attest
