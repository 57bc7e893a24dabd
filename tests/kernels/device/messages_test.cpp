// Goal: a message comes back as it was, and bytes that are not exactly one message are refused:
// every truncation, anything behind the end, and lengths that lie.
#include "kernels/device/messages.hpp"

#include <gtest/gtest.h>

namespace attest::messages_test {
namespace {

Bytes bytes_of_text(std::string_view text) {
  Bytes bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

DeviceRequest some_request() {
  return {"tiled",
          "attest1:b=1",
          DeviceStep::backward,
          {bytes_of_text("q"), bytes_of_text("kk"), {}},
          {bytes_of_text("oooo"), bytes_of_text("lse")}};
}

DeviceReply some_reply() {
  return {DeviceReply::Kind::failed, "cudaMalloc: out of memory", true, {bytes_of_text("o"), {}}};
}

TEST(Messages, ComeBackAsTheyWere) {
  EXPECT_EQ(decode_request(encode(some_request())), some_request());
  EXPECT_EQ(decode_reply(encode(some_reply())), some_reply());
  EXPECT_EQ(decode_request(encode(DeviceRequest{})), DeviceRequest{});
  EXPECT_EQ(decode_reply(encode(DeviceReply{})), DeviceReply{});
}

TEST(Messages, AreRefusedWhenTruncatedAnywhere) {
  const Bytes request = encode(some_request()), reply = encode(some_reply());
  for (std::size_t size = 0; size < request.size(); ++size) {
    EXPECT_FALSE(decode_request(Bytes(request.begin(), request.begin() + size))) << size;
  }
  for (std::size_t size = 0; size < reply.size(); ++size) {
    EXPECT_FALSE(decode_reply(Bytes(reply.begin(), reply.begin() + size))) << size;
  }
}

TEST(Messages, AreRefusedWithAnythingBehindTheEnd) {
  Bytes request = encode(some_request());
  request.push_back(std::byte{0});
  EXPECT_FALSE(decode_request(request));
}

TEST(Messages, AreRefusedWhenALengthLies) {
  Bytes request = encode(some_request());
  for (std::size_t i = 0; i < 8; ++i) request[i] = std::byte{0xff};
  EXPECT_FALSE(decode_request(request));
}

// A count of rows is worth nothing without the rows: no memory is taken for it.
TEST(Messages, AreRefusedWhenACountLies) {
  Bytes reply = encode(DeviceReply{});
  for (std::size_t i = reply.size() - 8; i < reply.size(); ++i) reply[i] = std::byte{0xff};
  EXPECT_FALSE(decode_reply(reply));
}

TEST(Messages, AreRefusedWithAKindThatNobodyKnows) {
  Bytes reply = encode(some_reply());
  reply[8] = std::byte{3};  // behind the length of the head
  EXPECT_FALSE(decode_reply(reply));
}

TEST(Messages, AreRefusedWithAStepThatNobodyKnows) {
  Bytes request = encode(some_request());
  request[8] = std::byte{2};
  EXPECT_FALSE(decode_request(request));
}

TEST(Messages, AreNotMistakenForEachOther) {
  EXPECT_FALSE(decode_reply(encode(some_request())));
  EXPECT_FALSE(decode_request(encode(some_reply())));
}

}  // namespace
}  // namespace attest::messages_test
