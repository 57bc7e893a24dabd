// frames.hpp - messages over a pipe or a socket: a greeting, then frames of a length and that many
// bytes.
//
// A stream may hand over any part of what was sent, end in the middle, or fall silent. Each of
// these is told apart here, since a report names it.
#pragma once

#include <poll.h>

#include <chrono>
#include <optional>
#include <string_view>

#include "kernels/device/messages.hpp"

namespace attest {

// What the device program sends first. The number changes with any change of a message.
inline constexpr std::string_view kGreeting = "attest-device protocol 2\n";

enum class StreamEnd : std::uint8_t {
  ok,
  closed,    // nothing more comes: the other end closed the stream, perhaps in the middle
  late,      // the deadline passed
  nonsense,  // no greeting, or a frame longer than any that could come
  broken,    // the system refused to read or write
};

using Deadline = std::chrono::steady_clock::time_point;
inline constexpr Deadline kNoDeadline = Deadline::max();

// One end of a conversation. Owns no descriptor. Writing to a closed socket is StreamEnd::closed
// and no signal; to a closed pipe it is whatever SIGPIPE does.
class FrameStream {
 public:
  FrameStream(int in, int out, Deadline deadline = kNoDeadline)
      : in_(in), out_(out), deadline_(deadline) {}

  [[nodiscard]] StreamEnd send_greeting() const;
  // StreamEnd::nonsense when something else than the greeting came.
  [[nodiscard]] StreamEnd receive_greeting() const;
  [[nodiscard]] StreamEnd send(const Bytes& message) const;
  // Until something can be read, the end included.
  [[nodiscard]] StreamEnd wait() const { return wait_for(in_, POLLIN); }
  [[nodiscard]] StreamEnd receive(Bytes& message, std::uint64_t most_bytes) const;

 private:
  [[nodiscard]] StreamEnd wait_for(int descriptor, short event) const;
  [[nodiscard]] StreamEnd send_bytes(const void* data, std::size_t size) const;
  [[nodiscard]] StreamEnd receive_bytes(void* data, std::size_t size) const;

  int in_, out_;
  Deadline deadline_;
};

}  // namespace attest
