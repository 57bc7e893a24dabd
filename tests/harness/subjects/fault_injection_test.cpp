// Goal: whatever ends a worker, each case is accounted for, and nothing is left of it.
#include "tests/harness/subjects/fault_injection.hpp"

namespace attest::fault_injection_test {
namespace {

TEST(InjectedFaults, AccountsForEveryCaseAndLeaksNothing) {
  inject_faults(150, 20, std::chrono::seconds(1), 4);
}

}  // namespace
}  // namespace attest::fault_injection_test
