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
    if (!form_named(name())) return name() + " exists on the emulator only";
    if (auto reason = declined_everywhere(problem)) return reason;
    return program_.unavailable();
  }

  [[nodiscard]] Numerics numerics(const Problem& problem, Unit unit) const override {
    Numerics numerics = emulated_->numerics(problem, unit);
    numerics.unit = unit;
    return numerics;
  }

  RunOutcome run(const Problem& problem, const ForwardInputs& inputs, const ForwardOutputs& outputs,
                 const RunSettings& settings) const override {
    if (settings.unit != Unit::device) return emulated_->run(problem, inputs, outputs, settings);
    const DeviceReply reply =
        program_.ask({name(), to_string(problem), gather(inputs.q), gather(inputs.k),
                      gather(inputs.v), gather(outputs.o), gather(outputs.lse)});
    if (reply.kind != DeviceReply::Kind::ran) return {RunOutcome::Kind::crashed, reply.detail};
    if (!scatter(reply.o, outputs.o) || !scatter(reply.lse, outputs.lse)) {
      return {RunOutcome::Kind::crashed, "the device program replied with outputs of other sizes"};
    }
    return {};
  }

 private:
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
