// contract.hpp - what a caller must bring, checked in every build.
//
// A broken contract is our own bug: it ends the process with the condition and the place. Whatever
// a user or the world can cause is an attest::Error or a value instead.
#pragma once

namespace attest {

[[noreturn]] void contract_broken(const char* condition, const char* file, int line);

}  // namespace attest

#define ATTEST_EXPECTS(condition) \
  ((condition) ? static_cast<void>(0) : ::attest::contract_broken(#condition, __FILE__, __LINE__))
