// Goal: as fault_injection_test.cpp, ten thousand times, by a fresh seed.
#include "tests/harness/subjects/fault_injection.hpp"

namespace attest {
namespace {

TEST(FaultInjectionSoak, AccountsForEveryCaseAndLeaksNothing) {
  inject_faults(10'000, std::random_device()(), std::chrono::milliseconds(250));
}

}  // namespace
}  // namespace attest
