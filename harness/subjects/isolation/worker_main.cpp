// attest-worker BYTES SECONDS confined|free plugin LIBRARY | bundled
//
// Runs subjects for attest, in a process that may die. attest starts it, with a socket as its
// standard input and output and the shared memory as kKeptDescriptor.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/subjects/child_process.hpp"
#include "harness/subjects/isolation/arena.hpp"
#include "harness/subjects/isolation/plugin_library.hpp"
#include "harness/subjects/isolation/sandbox.hpp"
#include "harness/subjects/isolation/serve_calls.hpp"

namespace attest {
namespace {

constexpr int kSocket = kKeptDescriptor + 1;
constexpr int kUsage = 2;
constexpr std::uint64_t kAddressSpace = std::uint64_t{16} << 30;

// The streams that a subject may print to lead nowhere; what it could reply on is none of them.
// Descriptors of attest that a library left open to its children are closed.
bool settle_descriptors() {
  if (dup2(STDIN_FILENO, kSocket) < 0) return false;
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return false;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (dup2(nowhere, stream) < 0) return false;
  }
  return close_range(kSocket + 1, ~0U, 0) == 0;
}

int serve(int argc, char** argv) {
  const bool plugin = argc == 6 && std::strcmp(argv[4], "plugin") == 0;
  if (!plugin && !(argc == 5 && std::strcmp(argv[4], "bundled") == 0)) {
    std::fputs("attest-worker: attest starts it\n", stderr);
    return kUsage;
  }
  WorkerSurroundings around{kSocket, kKeptDescriptor, std::strtoull(argv[1], nullptr, 10),
                            std::strtoull(argv[2], nullptr, 10)};
  if (!settle_descriptors()) return kUsage;
  const bool confined = std::strcmp(argv[3], "confined") == 0;
  around.lacking =
      enter_sandbox({confined, confined ? kAddressSpace + region_bytes(around.arena_bytes) : 0});
  watch_over_worker(around);
  const std::unique_ptr<Callee> callee = plugin ? plugin_callee(argv[5]) : bundled_callee();
  return serve_calls(around, *callee);
}

}  // namespace
}  // namespace attest

int main(int argc, char** argv) {
  // Without the destructors of a library that may have left anything behind.
  _exit(attest::serve(argc, argv));
}
