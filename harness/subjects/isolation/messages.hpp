// messages.hpp - what attest and its worker say to each other: a call, and what came of it.
//
// Tensors travel in shared memory (arena.hpp); these messages only say where they lie. A frame of
// kernels/device/frames.hpp carries one. Both ends are built from one checkout, but what runs in
// the worker is not ours: a reply is read as if anybody had written it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/subject.hpp"
#include "kernels/device/messages.hpp"

namespace attest {

// Bytes of the shared file, mapped at `address`, counted from the start of the worker's region. The
// data lie in whole pages, which are all that is mapped around them.
struct Slice {
  std::uint64_t file = 0;     // of the first page
  std::uint64_t address = 0;  // likewise; what lies just below and behind the pages is not mapped
  std::uint64_t pages = 0;
  std::uint64_t begin = 0;  // of the data in the pages
  std::uint64_t size = 0;   // of the data
  bool writable = false;

  friend bool operator==(const Slice&, const Slice&) = default;
};

enum class WorkerStep : std::uint8_t { describe, workspace, forward, backward };

struct WorkerRequest {
  std::uint64_t token = 0;  // drawn for this request; its reply repeats it
  WorkerStep step = WorkerStep::describe;
  Pass pass = Pass::fwd;  // of a question for workspace
  std::string subject;
  std::string problem;             // to_string(Problem)
  RunSettings settings;            // for bundled subjects
  std::vector<Slice> inputs;       // q, k, v; of a backward o, lse, dout, too, and glse if given
  std::vector<Slice> outputs;      // o, lse; or dq, dk, dv
  std::optional<Slice> workspace;  // if the call needs any
};

// A plug-in's subject in its own words.
struct DeclaredSubject {
  std::string name, about, capabilities, semantics, numerics, promises;
  bool has_backward = false;
  bool has_workspace = false;       // does it have to be asked?
  std::string configurations = {};  // a line each

  friend bool operator==(const DeclaredSubject&, const DeclaredSubject&) = default;
};

struct WorkerReply {
  enum class Kind : std::uint8_t { done, unsupported, failed, broke_rules };
  std::uint64_t token = 0;
  Kind kind = Kind::done;
  std::string detail;                     // for a person
  std::uint64_t workspace_bytes = 0;      // the answer to a question for workspace
  std::vector<DeclaredSubject> subjects;  // the answer to a question for a description
};

[[nodiscard]] Bytes encode(const WorkerRequest& request);
[[nodiscard]] Bytes encode(const WorkerReply& reply);

// Nothing when the bytes are not exactly one such message.
[[nodiscard]] std::optional<WorkerRequest> decode_worker_request(const Bytes& bytes);
[[nodiscard]] std::optional<WorkerReply> decode_worker_reply(const Bytes& bytes);

}  // namespace attest
