// Goal: a message comes back as it was, and bytes that are none are refused whatever they claim.
#include "harness/subjects/isolation/messages.hpp"

#include <gtest/gtest.h>

#include <random>

namespace attest::messages_test {
namespace {

WorkerRequest some_request() {
  WorkerRequest r;
  r.token = 0xfedcba9876543210;
  r.step = WorkerStep::backward;
  r.pass = Pass::bwd;
  r.subject = "plain";
  r.problem = "attest1:...";
  r.settings = {Unit::h100, 7, 3, false, "parts=3"};
  r.inputs = {{4096, 65536, 1, 100, 3996, false}, {8192, 135168, 2, 0, 5000, false}};
  r.outputs = {{16384, 208896, 1, 4, 4092, true}};
  r.workspace = Slice{20480, 278528, 1, 0, 64, true};
  return r;
}

WorkerReply some_reply() {
  WorkerReply r{5, WorkerReply::Kind::unsupported, "no such tile", 77, {}};
  r.subjects = {{"a", "about", "formats=f16", "", "unit=h100", "deterministic=yes", true, false},
                {"b", "", "", "", "", "", false, true, "a\nb tile_k=4"}};
  return r;
}

TEST(WorkerMessages, ComeBackAsTheyWere) {
  const auto request = decode_worker_request(encode(some_request()));
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(encode(*request), encode(some_request()));
  EXPECT_EQ(request->inputs, some_request().inputs);
  EXPECT_EQ(request->workspace, some_request().workspace);
  EXPECT_EQ(request->settings.unit, Unit::h100);
  EXPECT_FALSE(request->settings.watch);
  EXPECT_EQ(request->settings.configuration, "parts=3");
  const auto reply = decode_worker_reply(encode(some_reply()));
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(encode(*reply), encode(some_reply()));
  EXPECT_EQ(reply->subjects, some_reply().subjects);
}

TEST(WorkerMessages, AreRefusedWhereTheyEndTooEarlyOrTooLate) {
  for (Bytes bytes : {encode(some_request()), encode(some_reply())}) {
    const bool is_request = decode_worker_request(bytes).has_value();
    const auto is_one = [&](const Bytes& some) {
      return is_request ? decode_worker_request(some).has_value()
                        : decode_worker_reply(some).has_value();
    };
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_FALSE(is_one(Bytes(bytes.begin(), bytes.begin() + static_cast<long>(length))));
    }
    bytes.push_back(std::byte{0});
    EXPECT_FALSE(is_one(bytes));
  }
}

TEST(WorkerMessages, AreRefusedWhereACountOrAKindLies) {
  WorkerReply reply;
  Bytes bytes = encode(reply);
  bytes[8] = std::byte{9};  // a kind that there is not
  EXPECT_FALSE(decode_worker_reply(bytes));
  bytes = encode(reply);
  for (std::size_t at = bytes.size() - 8; at < bytes.size(); ++at) bytes[at] = std::byte{0xff};
  EXPECT_FALSE(decode_worker_reply(bytes));  // 2^64 - 1 subjects
}

TEST(WorkerMessages, NeverTakeRandomBytesForMoreThanTheyAre) {
  std::mt19937_64 dice(20);
  Index taken = 0;
  for (int n = 0; n < 20'000; ++n) {
    Bytes bytes = encode(some_reply());
    for (int change = 0; change < 3; ++change) {
      bytes[dice() % bytes.size()] = static_cast<std::byte>(dice());
    }
    const auto reply = decode_worker_reply(bytes);
    if (!reply) continue;
    ++taken;
    EXPECT_EQ(encode(*reply), bytes);  // one reading, and nothing beside it
  }
  EXPECT_GT(taken, 300);  // changes within a token or a text
}

}  // namespace
}  // namespace attest::messages_test
