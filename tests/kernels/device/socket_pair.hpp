// socket_pair.hpp - two ends of a conversation within one test.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace attest {

class SocketPair {
 public:
  SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0); }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;
  ~SocketPair() {
    close(ends_[0]);
    close(ends_[1]);
  }

  [[nodiscard]] int here() const { return ends_[0]; }
  [[nodiscard]] int there() const { return ends_[1]; }
  // What was sent still arrives; then comes the end.
  void hang_up_there() const { shutdown(ends_[1], SHUT_RDWR); }

 private:
  std::array<int, 2> ends_{};
};

}  // namespace attest
