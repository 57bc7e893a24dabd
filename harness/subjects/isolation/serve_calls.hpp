// serve_calls.hpp - the worker's loop: requests in, the calls on shared memory, replies out.
#pragma once

#include <cstdint>

#include "harness/subjects/isolation/callee.hpp"

namespace attest {

struct WorkerSurroundings {
  int socket = -1;
  int arena = -1;  // descriptor of the shared file
  std::uint64_t arena_bytes = 0;
  std::uint64_t cpu_seconds = 0;  // that one request may use before the system ends the worker
  std::string lacking = {};       // what enter_sandbox could not have: part of the description
};

// Writes a note (fault_note.hpp) before this process dies of an access to memory. Ends the whole
// process group once nobody is at the socket's other end, or whoever started it has ended. Call
// once, before anything is loaded.
void watch_over_worker(const WorkerSurroundings& surroundings);

// Until the stream ends. Returns the exit status: 0 then, 2 when the other side broke the protocol.
int serve_calls(const WorkerSurroundings& surroundings, Callee& callee);

}  // namespace attest
