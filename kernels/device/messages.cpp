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

void put_rows(Bytes& message, const std::vector<Bytes>& rows) {
  const std::uint64_t count = rows.size();
  put(message, &count, sizeof count);
  for (const Bytes& row : rows) put(message, row);
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
  // As put_rows puts them; each takes at least its length, so that a count that lies is refused.
  void take_rows(std::vector<Bytes>& rows) {
    Bytes head;
    take(head);
    std::uint64_t count = 0;
    if (head.size() != sizeof count) return fail();
    std::memcpy(&count, head.data(), sizeof count);
    if ((message_.size() - at_) / sizeof count < count) return fail();
    rows.resize(count);
    for (Bytes& row : rows) take(row);
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
  const std::uint8_t head[] = {static_cast<std::uint8_t>(request.step)};
  put(message, head, sizeof head);
  put(message, request.subject);
  put(message, request.problem);
  put_rows(message, request.inputs);
  put_rows(message, request.outputs);
  return message;
}

Bytes encode(const DeviceReply& reply) {
  Bytes message;
  const std::uint8_t head[] = {static_cast<std::uint8_t>(reply.kind), reply.last};
  put(message, head, sizeof head);
  put(message, reply.detail);
  put_rows(message, reply.outputs);
  return message;
}

std::optional<DeviceRequest> decode_request(const Bytes& bytes) {
  DeviceRequest request;
  Taker taker(bytes);
  Bytes head;
  taker.take(head);
  taker.take(request.subject);
  taker.take(request.problem);
  taker.take_rows(request.inputs);
  taker.take_rows(request.outputs);
  if (!taker.took_everything() || head.size() != 1) return std::nullopt;
  const auto step = std::to_integer<std::uint8_t>(head[0]);
  if (step > static_cast<std::uint8_t>(DeviceStep::backward)) return std::nullopt;
  request.step = static_cast<DeviceStep>(step);
  return request;
}

std::optional<DeviceReply> decode_reply(const Bytes& bytes) {
  DeviceReply reply;
  Taker taker(bytes);
  Bytes head;
  taker.take(head);
  taker.take(reply.detail);
  taker.take_rows(reply.outputs);
  if (!taker.took_everything() || head.size() != 2) return std::nullopt;
  const auto kind = std::to_integer<std::uint8_t>(head[0]);
  if (kind > static_cast<std::uint8_t>(DeviceReply::Kind::failed)) return std::nullopt;
  reply.kind = static_cast<DeviceReply::Kind>(kind);
  reply.last = head[1] != std::byte{0};
  return reply;
}

}  // namespace attest
