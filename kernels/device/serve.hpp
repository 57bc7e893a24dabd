// serve.hpp - the loop of a device program: requests in, replies out.
//
// A template over the machine where it touches one, so that tests serve the same protocol from the
// emulator.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/problem.hpp"
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
  Tensor q, k, v, o, lse;

  [[nodiscard]] ForwardInputs inputs() const { return {q.view(), k.view(), v.view()}; }
  [[nodiscard]] ForwardOutputs outputs() { return {o.view(), lse.view()}; }
};
[[nodiscard]] UnpackedRequest unpack(const DeviceRequest& request);

// Runs the form of that name. What the machine throws passes through.
template <class Machine>
DeviceReply answer_with(Machine& machine, const FormTable<Machine>& forms,
                        const DeviceRequest& request) {
  using Kind = DeviceReply::Kind;
  UnpackedRequest unpacked = unpack(request);
  if (!unpacked.defect.empty()) return {Kind::failed, unpacked.defect, false, {}, {}};
  const std::optional<int> form = form_named(request.subject);
  if (!form) {
    return {Kind::unsupported, "the device program has no " + request.subject, false, {}, {}};
  }
  if (const auto reason = declined_by_form(*form, unpacked.problem)) {
    return {Kind::unsupported, *reason, false, {}, {}};
  }
  forms[static_cast<std::size_t>(*form)](machine, unpacked.problem, unpacked.inputs(),
                                         unpacked.outputs());
  return {Kind::ran, {}, false, std::move(unpacked.o.bytes()), std::move(unpacked.lse.bytes())};
}

}  // namespace attest
