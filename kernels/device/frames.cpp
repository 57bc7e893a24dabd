#include "kernels/device/frames.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace attest {
namespace {

constexpr int kForEver = -1;

int milliseconds_until(Deadline deadline) {
  if (deadline == kNoDeadline) return kForEver;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  constexpr std::int64_t kMinute = 60'000;
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kMinute));
}

// A socket is written to without the signal that a closed one brings, and never waits beyond the
// deadline; a pipe knows no such flags.
ssize_t write_some(int descriptor, const char* data, std::size_t size) {
  const ssize_t sent = ::send(descriptor, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent < 0 && errno == ENOTSOCK ? ::write(descriptor, data, size) : sent;
}

bool try_again() { return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK; }

}  // namespace

StreamEnd FrameStream::wait_for(int descriptor, short event) const {
  while (true) {
    pollfd waiting{descriptor, event, 0};
    const int ready = ::poll(&waiting, 1, milliseconds_until(deadline_));
    if (ready > 0) return StreamEnd::ok;  // data, the end, or an error that the next call names
    if (ready < 0 && errno != EINTR) return StreamEnd::broken;
    if (deadline_ != kNoDeadline && std::chrono::steady_clock::now() >= deadline_) {
      return StreamEnd::late;
    }
  }
}

StreamEnd FrameStream::send_bytes(const void* data, std::size_t size) const {
  const char* const bytes = static_cast<const char*>(data);
  for (std::size_t sent = 0; sent < size;) {
    if (const StreamEnd end = wait_for(out_, POLLOUT); end != StreamEnd::ok) return end;
    const ssize_t now = write_some(out_, bytes + sent, size - sent);
    if (now > 0) {
      sent += static_cast<std::size_t>(now);
    } else if (!try_again()) {
      return errno == EPIPE || errno == ECONNRESET ? StreamEnd::closed : StreamEnd::broken;
    }
  }
  return StreamEnd::ok;
}

StreamEnd FrameStream::receive_bytes(void* data, std::size_t size) const {
  char* const bytes = static_cast<char*>(data);
  for (std::size_t got = 0; got < size;) {
    if (const StreamEnd end = wait_for(in_, POLLIN); end != StreamEnd::ok) return end;
    const ssize_t now = ::read(in_, bytes + got, size - got);
    if (now > 0) {
      got += static_cast<std::size_t>(now);
    } else if (now == 0 || errno == ECONNRESET) {
      return StreamEnd::closed;
    } else if (!try_again()) {
      return StreamEnd::broken;
    }
  }
  return StreamEnd::ok;
}

StreamEnd FrameStream::send_greeting() const {
  return send_bytes(kGreeting.data(), kGreeting.size());
}

StreamEnd FrameStream::receive_greeting() const {
  std::string greeting(kGreeting.size(), '\0');
  const StreamEnd end = receive_bytes(greeting.data(), greeting.size());
  return end == StreamEnd::ok && greeting != kGreeting ? StreamEnd::nonsense : end;
}

StreamEnd FrameStream::send(const Bytes& message) const {
  const std::uint64_t length = message.size();
  const StreamEnd end = send_bytes(&length, sizeof length);
  return end == StreamEnd::ok ? send_bytes(message.data(), message.size()) : end;
}

StreamEnd FrameStream::receive(Bytes& message, std::uint64_t most_bytes) const {
  std::uint64_t length = 0;
  const StreamEnd end = receive_bytes(&length, sizeof length);
  if (end != StreamEnd::ok) return end;
  if (length > most_bytes) return StreamEnd::nonsense;
  message.resize(length);
  return receive_bytes(message.data(), message.size());
}

}  // namespace attest
