#include "core/contract.hpp"

#include <cstdio>
#include <cstdlib>

namespace attest {

void contract_broken(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "attest: broken contract: %s at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace attest
