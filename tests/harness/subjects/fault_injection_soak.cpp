// Goal: as fault_injection_test.cpp, ten thousand times, by a fresh seed.
#include "tests/harness/subjects/fault_injection.hpp"

namespace attest {
namespace {

TEST(InjectedFaultsSoak, AccountsForEveryCaseAndLeaksNothing) {
  inject_faults(10'000, std::random_device()(), std::chrono::seconds(1), 8);
}

}  // namespace
}  // namespace attest
