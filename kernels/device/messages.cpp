#include "kernels/device/messages.hpp"

#include <cstring>

namespace attest {
namespace {

void put(Bytes& message, const void* data, std::size_t size) {
  const std::uint64_t length = size;
  const std::size_t at = message.size();
  message.resize(at + sizeof length + size);
  std::memcpy(message.data() + at, &length, sizeof length);
  if (size != 0) std::memcpy(message.data() + at + sizeof length, data, size);
}

template <class Row>
void put(Bytes& message, const Row& row) {
  put(message, row.data(), row.size());
}

// Takes the strings of a message one after the other. Once one is missing, all that follow are.
class Taker {
 public:
  explicit Taker(const Bytes& message) : message_(message) {}

  template <class Row>
  void take(Row& row) {
    std::uint64_t length = 0;
    if (message_.size() - at_ < sizeof length) return fail();
    std::memcpy(&length, message_.data() + at_, sizeof length);
    at_ += sizeof length;
    if (message_.size() - at_ < length) return fail();
    row.resize(length);
    if (length != 0) std::memcpy(row.data(), message_.data() + at_, length);
    at_ += length;
  }
  [[nodiscard]] bool took_everything() const { return sound_ && at_ == message_.size(); }

 private:
  void fail() {
    sound_ = false;
    at_ = message_.size();
  }

  const Bytes& message_;
  std::size_t at_ = 0;
  bool sound_ = true;
};

}  // namespace

Bytes encode(const DeviceRequest& request) {
  Bytes message;
  put(message, request.subject);
  put(message, request.problem);
  for (const Bytes* row : {&request.q, &request.k, &request.v, &request.o, &request.lse}) {
    put(message, *row);
  }
  return message;
}

Bytes encode(const DeviceReply& reply) {
  Bytes message;
  const std::uint8_t head[] = {static_cast<std::uint8_t>(reply.kind), reply.last};
  put(message, head, sizeof head);
  put(message, reply.detail);
  put(message, reply.o);
  put(message, reply.lse);
  return message;
}

std::optional<DeviceRequest> decode_request(const Bytes& bytes) {
  DeviceRequest request;
  Taker taker(bytes);
  taker.take(request.subject);
  taker.take(request.problem);
  for (Bytes* row : {&request.q, &request.k, &request.v, &request.o, &request.lse}) {
    taker.take(*row);
  }
  if (!taker.took_everything()) return std::nullopt;
  return request;
}

std::optional<DeviceReply> decode_reply(const Bytes& bytes) {
  DeviceReply reply;
  Taker taker(bytes);
  Bytes head;
  taker.take(head);
  taker.take(reply.detail);
  taker.take(reply.o);
  taker.take(reply.lse);
  if (!taker.took_everything() || head.size() != 2) return std::nullopt;
  const auto kind = std::to_integer<std::uint8_t>(head[0]);
  if (kind > static_cast<std::uint8_t>(DeviceReply::Kind::failed)) return std::nullopt;
  reply.kind = static_cast<DeviceReply::Kind>(kind);
  reply.last = head[1] != std::byte{0};
  return reply;
}

}  // namespace attest
