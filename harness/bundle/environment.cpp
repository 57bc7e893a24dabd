#include "harness/bundle/environment.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include "harness/cache/oracle_digest.hpp"

namespace attest {

std::string_view attest_version() { return ATTEST_VERSION; }

std::string environment_text() {
  utsname system{};
  const bool known = uname(&system) == 0;
  return fmt::format(
      "attest        {}\n"
      "build         {}\n"
      "oracle        sources {}\n"
      "toolchain     {}\n"
      "system        {}\n",
      attest_version(), ATTEST_BUILD_TYPE, oracle_digest(), oracle_toolchain(),
      known ? fmt::format("{} {} {}", system.sysname, system.release, system.machine) : "unknown");
}

}  // namespace attest
