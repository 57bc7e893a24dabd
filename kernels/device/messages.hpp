// messages.hpp - what attest and its device program say to each other: one case, and what came of
// it.
//
// Kernels that go wrong on a GPU take their process with them, so that they run in one of their
// own. A message is a row of byte strings, each behind its length; frames.hpp carries them. Both
// ends are built from one checkout, on one machine: lengths are in its byte order, and a version in
// the greeting stands for everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attest {

using Bytes = std::vector<std::byte>;

// What of a problem is asked for: a backward starts from what a forward left.
enum class DeviceStep : std::uint8_t { forward, backward };

// Tensors are row-major, in the problem's shapes and formats.
struct DeviceRequest {
  std::string subject;
  std::string problem;  // to_string(Problem)
  DeviceStep step = DeviceStep::forward;
  std::vector<Bytes> inputs;   // q, k, v; of a backward o, lse, dout, too, and glse if there is one
  std::vector<Bytes> outputs;  // o, lse; or dq, dk, dv. What stands there before the run: an output
                               // that no kernel writes keeps it

  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};

struct DeviceReply {
  enum class Kind : std::uint8_t {
    ran,          // the outputs are those of the run
    unsupported,  // the program has no such subject, or it declines this problem
    failed,       // a CUDA call failed, or the request made no sense
  };
  Kind kind = Kind::ran;
  std::string
      detail;         // for a person, empty when it ran: "cudaMemcpy: cudaErrorIllegalAddress (..)"
  bool last = false;  // the program ends after this reply: its device no longer answers
  std::vector<Bytes> outputs;  // as in the request; empty unless it ran

  friend bool operator==(const DeviceReply&, const DeviceReply&) = default;
};

[[nodiscard]] Bytes encode(const DeviceRequest& request);
[[nodiscard]] Bytes encode(const DeviceReply& reply);

// Nothing when the bytes are not exactly one such message.
[[nodiscard]] std::optional<DeviceRequest> decode_request(const Bytes& bytes);
[[nodiscard]] std::optional<DeviceReply> decode_reply(const Bytes& bytes);

}  // namespace attest
