#include "kernels/device/serve.hpp"

#include "kernels/device/frames.hpp"

namespace attest {
namespace {

constexpr int kStreamEnded = 0, kDeviceLost = 1, kProtocolBroken = 2;
constexpr std::uint64_t kLargestRequest = std::uint64_t{1} << 40;

bool fill(Tensor& tensor, Format format, const Extents& extents, const Bytes& bytes) {
  tensor = Tensor(format, extents);
  if (tensor.bytes().size() != bytes.size()) return false;
  tensor.bytes() = bytes;
  return true;
}

}  // namespace

UnpackedRequest unpack(const DeviceRequest& request) {
  UnpackedRequest unpacked;
  try {
    unpacked.problem = parse_problem(request.problem);
  } catch (const Error& error) {
    unpacked.defect = error.what();
    return unpacked;
  }
  const Problem& p = unpacked.problem;
  if (!fill(unpacked.q, p.in, p.q_extents(), request.q) ||
      !fill(unpacked.k, p.in, p.k_extents(), request.k) ||
      !fill(unpacked.v, p.in, p.v_extents(), request.v) ||
      !fill(unpacked.o, p.out, p.o_extents(), request.o) ||
      !fill(unpacked.lse, Format::f32, p.lse_extents(), request.lse)) {
    unpacked.defect = "the request's tensors have not the sizes of " + request.problem;
  }
  return unpacked;
}

int serve(int in, int out, const AnswerRequest& answer) {
  const FrameStream stream(in, out);
  if (stream.send_greeting() != StreamEnd::ok) return kProtocolBroken;
  while (true) {
    Bytes message;
    const StreamEnd end = stream.receive(message, kLargestRequest);
    if (end == StreamEnd::closed) return kStreamEnded;
    const auto request = end == StreamEnd::ok ? decode_request(message) : std::nullopt;
    if (!request) return kProtocolBroken;
    const DeviceReply reply = answer(*request);
    if (stream.send(encode(reply)) != StreamEnd::ok) return kProtocolBroken;
    if (reply.last) return kDeviceLost;
  }
}

}  // namespace attest
