#include "harness/subjects/device_subject.hpp"

#include <algorithm>
#include <utility>

#include "kernels/attention/dense.hpp"
#include "kernels/device/forms.hpp"

namespace attest {
namespace {

template <class Byte>
Bytes gather(const BasicTensorView<Byte>& view) {
  const auto width = static_cast<std::size_t>(bytes_of(view.format));
  Bytes bytes(static_cast<std::size_t>(volume(view.extents)) * width);
  for_each_element(view, [&](const std::byte* from, std::size_t n) {
    std::memcpy(bytes.data() + n * width, from, width);
  });
  return bytes;
}

// False when there are not as many bytes as the view takes.
bool scatter(const Bytes& bytes, const TensorView& view) {
  const auto width = static_cast<std::size_t>(bytes_of(view.format));
  if (bytes.size() != static_cast<std::size_t>(volume(view.extents)) * width) return false;
  for_each_element(view, [&](std::byte* to, std::size_t n) {
    std::memcpy(to, bytes.data() + n * width, width);
  });
  return true;
}

class DeviceSubject final : public Subject {
 public:
  DeviceSubject(std::unique_ptr<Subject> emulated, DeviceProgram& program)
      : emulated_(std::move(emulated)), program_(program) {}

  [[nodiscard]] std::string name() const override { return emulated_->name(); }
  [[nodiscard]] Semantics semantics() const override { return emulated_->semantics(); }

  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    if (unit != Unit::device) return emulated_->unsupported(problem, unit);
    // One that has a backward there has a forward, too.
    if (!form_named(name())) return name() + " exists on the emulator only";
    if (auto reason = declined_everywhere(problem)) return reason;
    return program_.unavailable();
  }

  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override {
    Numerics numerics = emulated_->numerics(problem, unit);
    numerics.unit = unit;
    return numerics;
  }

  // The device program knows forms by name, and what they choose.
  [[nodiscard]] std::vector<std::string> configurations(const Problem& problem,
                                                        Unit unit) const override {
    if (unit == Unit::device) return {};
    return emulated_->configurations(problem, unit);
  }
  [[nodiscard]] Numerics numerics_in(const std::string& configuration, const Problem& problem,
                                     Unit unit) const override {
    return emulated_->numerics_in(configuration, problem, unit);
  }

  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override {
    if (settings.unit != Unit::device) return emulated_->run(problem, inputs, outputs, settings);
    return ask({name(),
                to_string(problem),
                DeviceStep::forward,
                {gather(inputs.q), gather(inputs.k), gather(inputs.v)},
                {gather(outputs.o), gather(outputs.lse)}},
               {outputs.o, outputs.lse});
  }

  RunOutcome run_backward(const Problem& problem, const BackwardInputs& inputs,
                          const BackwardOutputs& outputs,
                          const RunSettings& settings) const override {
    if (settings.unit != Unit::device) {
      return emulated_->run_backward(problem, inputs, outputs, settings);
    }
    std::vector<Bytes> rows = {gather(inputs.q), gather(inputs.k),   gather(inputs.v),
                               gather(inputs.o), gather(inputs.lse), gather(inputs.dout)};
    if (inputs.glse) rows.push_back(gather(*inputs.glse));
    return ask({name(),
                to_string(problem),
                DeviceStep::backward,
                std::move(rows),
                {gather(outputs.dq), gather(outputs.dk), gather(outputs.dv)}},
               {outputs.dq, outputs.dk, outputs.dv});
  }

 private:
  [[nodiscard]] RunOutcome ask(const DeviceRequest& request,
                               const std::vector<TensorView>& outputs) const {
    const DeviceReply reply = program_.ask(request);
    if (reply.kind != DeviceReply::Kind::ran) return {RunOutcome::Kind::crashed, reply.detail};
    bool fits = reply.outputs.size() == outputs.size();
    for (std::size_t n = 0; fits && n < outputs.size(); ++n) {
      fits = scatter(reply.outputs[n], outputs[n]);
    }
    if (fits) return {};
    return {RunOutcome::Kind::crashed, "the device program replied with outputs of other sizes"};
  }

  // The kernel is one and the same, so that some emulated unit takes what the device takes.
  [[nodiscard]] std::optional<std::string> declined_everywhere(const Problem& problem) const {
    std::optional<std::string> reason;
    for (const Unit unit : kUnits) {
      if (unit == Unit::device) continue;
      reason = emulated_->unsupported(problem, unit);
      if (!reason) break;
    }
    return reason;
  }

  std::unique_ptr<Subject> emulated_;
  DeviceProgram& program_;
};

}  // namespace

std::unique_ptr<Subject> with_device(std::unique_ptr<Subject> emulated) {
  return with_device(std::move(emulated), device_program());
}

std::unique_ptr<Subject> with_device(std::unique_ptr<Subject> emulated, DeviceProgram& program) {
  return std::make_unique<DeviceSubject>(std::move(emulated), program);
}

}  // namespace attest
