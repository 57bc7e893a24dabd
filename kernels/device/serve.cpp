#include "kernels/device/serve.hpp"

#include "kernels/device/frames.hpp"

namespace attest {
namespace {

constexpr int kStreamEnded = 0, kDeviceLost = 1, kProtocolBroken = 2;
constexpr std::uint64_t kLargestRequest = std::uint64_t{1} << 40;

struct Shape {
  Format format;
  Extents extents;
};

std::vector<Shape> input_shapes(const Problem& p, DeviceStep step) {
  std::vector<Shape> shapes = {{p.in, p.q_extents()}, {p.in, p.k_extents()}, {p.in, p.v_extents()}};
  if (step == DeviceStep::forward) return shapes;
  const Shape lse{Format::f32, p.lse_extents()};
  shapes.insert(shapes.end(), {{p.out, p.o_extents()}, lse, {p.in, p.o_extents()}});
  if (p.lse_gradient) shapes.push_back(lse);
  return shapes;
}

std::vector<Shape> output_shapes(const Problem& p, DeviceStep step) {
  if (step == DeviceStep::forward) {
    return {{p.out, p.o_extents()}, {Format::f32, p.lse_extents()}};
  }
  return {{p.out, p.q_extents()}, {p.out, p.k_extents()}, {p.out, p.v_extents()}};
}

// False when there are other bytes than the shapes take.
bool fill(std::vector<Tensor>& tensors, const std::vector<Shape>& shapes,
          const std::vector<Bytes>& rows) {
  if (rows.size() != shapes.size()) return false;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    Tensor& tensor = tensors.emplace_back(shapes[n].format, shapes[n].extents);
    if (tensor.bytes().size() != rows[n].size()) return false;
    tensor.bytes() = rows[n];
  }
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
  if (!fill(unpacked.inputs, input_shapes(p, request.step), request.inputs) ||
      !fill(unpacked.outputs, output_shapes(p, request.step), request.outputs)) {
    unpacked.defect = "the request's tensors have not the sizes of " + request.problem;
  }
  return unpacked;
}

ForwardInputs UnpackedRequest::forward_inputs() const {
  return {inputs[0].view(), inputs[1].view(), inputs[2].view()};
}

ForwardOutputs UnpackedRequest::forward_outputs() { return {outputs[0].view(), outputs[1].view()}; }

BackwardInputs UnpackedRequest::backward_inputs() const {
  BackwardInputs all{inputs[0].view(), inputs[1].view(), inputs[2].view(),
                     inputs[3].view(), inputs[4].view(), inputs[5].view()};
  if (problem.lse_gradient) all.glse = inputs[6].view();
  return all;
}

BackwardOutputs UnpackedRequest::backward_outputs() {
  return {outputs[0].view(), outputs[1].view(), outputs[2].view()};
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
