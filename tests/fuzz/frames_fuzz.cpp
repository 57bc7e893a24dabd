// Goal: whatever a worker or the device program writes, it is a message, and then the only one of
// these bytes, or no message; frames that lie about their length end in words.
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "harness/subjects/isolation/messages.hpp"
#include "kernels/device/frames.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kMost = 1 << 20;

template <class Decoded>
void expect_canonical(const std::optional<Decoded>& message, const Bytes& bytes) {
  if (message) ATTEST_EXPECTS(encode(*message) == bytes);
}

// All of it comes at once, and then the other end is closed: each frame is received or the last
// ending is told.
void receive_all(const Bytes& bytes) {
  constexpr std::size_t kRoomOfASocket = 32 * 1024;
  if (bytes.size() > kRoomOfASocket) return;
  std::array<int, 2> ends{};
  ATTEST_EXPECTS(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  ATTEST_EXPECTS(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  close(ends[1]);
  const FrameStream stream(ends[0], ends[0]);
  std::size_t received = 0;
  StreamEnd end = StreamEnd::ok;
  for (Bytes message; end == StreamEnd::ok; received += sizeof(std::uint64_t) + message.size()) {
    end = stream.receive(message, kMost);
    if (end != StreamEnd::ok) break;
    expect_canonical(decode_worker_reply(message), message);
  }
  ATTEST_EXPECTS(end == StreamEnd::closed || end == StreamEnd::nonsense);
  ATTEST_EXPECTS(received <= bytes.size());
  close(ends[0]);
}

}  // namespace
}  // namespace attest

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest;
  const Bytes bytes = bytes_of(data, size);
  expect_canonical(decode_worker_request(bytes), bytes);
  expect_canonical(decode_worker_reply(bytes), bytes);
  expect_canonical(decode_request(bytes), bytes);
  expect_canonical(decode_reply(bytes), bytes);
  receive_all(bytes);
  return 0;
}
