// Goal: a frame arrives whole however the stream cuts it, and each way in which none arrives is
// told apart: the end, silence, and nonsense.
#include "kernels/device/frames.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>

#include "tests/kernels/device/socket_pair.hpp"

namespace attest::frames_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::uint64_t kMost = 1 << 20;

FrameStream patient(int socket) {
  return {socket, socket, steady_clock::now() + milliseconds(10'000)};
}
FrameStream hasty(int socket) { return {socket, socket, steady_clock::now() + milliseconds(50)}; }

Bytes counted(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

void write_raw(int socket, const void* data, std::size_t size) {
  ASSERT_EQ(write(socket, data, size), static_cast<ssize_t>(size));
}

TEST(Frames, ArriveInOrderEmptyOnesToo) {
  const SocketPair pair;
  const FrameStream here = patient(pair.here()), there = patient(pair.there());
  for (const std::size_t size : {0u, 1u, 5'000u}) {
    ASSERT_EQ(here.send(counted(size)), StreamEnd::ok);
  }
  Bytes message;
  for (const std::size_t size : {0u, 1u, 5'000u}) {
    ASSERT_EQ(there.receive(message, kMost), StreamEnd::ok);
    EXPECT_EQ(message, counted(size));
  }
}

TEST(Frames, ArriveWholeWhenTheStreamHandsOverSingleBytes) {
  const SocketPair pair;
  const Bytes sent = counted(40);
  std::jthread drip([&] {
    const std::uint64_t length = sent.size();
    std::string raw(reinterpret_cast<const char*>(&length), sizeof length);
    raw.append(reinterpret_cast<const char*>(sent.data()), sent.size());
    for (const char c : raw) {
      write_raw(pair.here(), &c, 1);
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  Bytes message;
  ASSERT_EQ(patient(pair.there()).receive(message, kMost), StreamEnd::ok);
  EXPECT_EQ(message, sent);
}

TEST(Frames, LargerThanAnyBufferPass) {
  const SocketPair pair;
  const Bytes sent = counted(8 << 20);
  std::jthread sender([&] { EXPECT_EQ(patient(pair.here()).send(sent), StreamEnd::ok); });
  Bytes message;
  ASSERT_EQ(patient(pair.there()).receive(message, sent.size()), StreamEnd::ok);
  EXPECT_EQ(message, sent);
}

TEST(Frames, ThatEndInTheMiddleAreClosed) {
  for (const std::size_t size : {0u, 3u, 8u, 12u}) {  // before, in and behind the length
    const SocketPair pair;
    const std::uint64_t length = 100;
    char raw[16] = {};
    std::memcpy(raw, &length, sizeof length);
    write_raw(pair.there(), raw, size);
    pair.hang_up_there();
    Bytes message;
    EXPECT_EQ(patient(pair.here()).receive(message, kMost), StreamEnd::closed) << size;
  }
}

TEST(Frames, ThatFallSilentAreLate) {
  const SocketPair pair;
  const std::uint64_t length = 100;
  write_raw(pair.there(), &length, sizeof length);
  Bytes message;
  EXPECT_EQ(hasty(pair.here()).receive(message, kMost), StreamEnd::late);
}

TEST(Frames, ThatNobodyTakesAreLate) {
  const SocketPair pair;
  EXPECT_EQ(hasty(pair.here()).send(counted(64 << 20)), StreamEnd::late);
}

TEST(Frames, LongerThanAnyThatCouldComeAreNonsense) {
  const SocketPair pair;
  const std::uint64_t length = kMost + 1;
  write_raw(pair.there(), &length, sizeof length);
  Bytes message;
  EXPECT_EQ(patient(pair.here()).receive(message, kMost), StreamEnd::nonsense);
}

TEST(Frames, ToAClosedSocketAreClosedAndNoSignal) {
  const SocketPair pair;
  pair.hang_up_there();
  EXPECT_EQ(patient(pair.here()).send(counted(10)), StreamEnd::closed);
}

TEST(Frames, GreetOnlyInTheirOwnVersion) {
  const SocketPair pair;
  ASSERT_EQ(patient(pair.there()).send_greeting(), StreamEnd::ok);
  EXPECT_EQ(patient(pair.here()).receive_greeting(), StreamEnd::ok);
  std::string other(kGreeting);
  other[other.size() - 2] = '0';
  write_raw(pair.there(), other.data(), other.size());
  EXPECT_EQ(patient(pair.here()).receive_greeting(), StreamEnd::nonsense);
}

}  // namespace
}  // namespace attest::frames_test
