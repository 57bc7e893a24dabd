// serve.hpp - the loop of a device program: requests in, replies out.
//
// A template over the machine where it touches one, so that tests serve the same protocol from the
// emulator.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/problem.hpp"
#include "kernels/attention/backward_limits.hpp"
#include "kernels/device/forms.hpp"
#include "kernels/device/messages.hpp"

namespace attest {

using AnswerRequest = std::function<DeviceReply(const DeviceRequest&)>;

// Greets, then answers one request after the other until the stream ends or a reply is the last.
// Returns the program's exit status: 0 when the stream has ended, 1 after a last reply, 2 when the
// other side broke the protocol.
int serve(int in, int out, const AnswerRequest& answer);

// The tensors of a request, or what is wrong with it.
struct UnpackedRequest {
  std::string defect;  // empty when the rest is sound
  Problem problem;
  std::vector<Tensor> inputs, outputs;  // as the request has them

  [[nodiscard]] ForwardInputs forward_inputs() const;
  [[nodiscard]] ForwardOutputs forward_outputs();
  [[nodiscard]] BackwardInputs backward_inputs() const;
  [[nodiscard]] BackwardOutputs backward_outputs();
};
[[nodiscard]] UnpackedRequest unpack(const DeviceRequest& request);

// Runs the form of that name. What the machine throws passes through.
template <class Machine>
DeviceReply answer_with(Machine& machine, const FormTables<Machine>& forms,
                        const DeviceRequest& request) {
  using Kind = DeviceReply::Kind;
  const bool is_backward = request.step == DeviceStep::backward;
  UnpackedRequest unpacked = unpack(request);
  if (!unpacked.defect.empty()) return {Kind::failed, unpacked.defect, false, {}};
  const auto form = form_named(request.subject);
  const auto backward = backward_form_named(request.subject);
  if (!form || (is_backward && !backward)) {
    return {Kind::unsupported,
            "the device program has no " + std::string(is_backward ? "backward of " : "") +
                request.subject,
            false,
            {}};
  }
  const Problem& problem = unpacked.problem;
  const auto reason =
      is_backward ? beyond_backward_kernels(problem) : declined_by_form(*form, problem);
  if (reason) return {Kind::unsupported, *reason, false, {}};
  if (is_backward) {
    forms.backward[static_cast<std::size_t>(backward->dq)](
        machine, problem, unpacked.backward_inputs(), unpacked.backward_outputs(),
        backward->weights);
  } else {
    forms.forward[static_cast<std::size_t>(*form)](machine, problem, unpacked.forward_inputs(),
                                                   unpacked.forward_outputs());
  }
  DeviceReply reply;
  for (Tensor& output : unpacked.outputs) reply.outputs.push_back(std::move(output.bytes()));
  return reply;
}

}  // namespace attest
