#include "harness/subjects/recorded_subject.hpp"

#include <cstring>
#include <utility>

#include "kernels/attention/dense.hpp"

namespace attest {
namespace {

void write(const Tensor& from, const TensorView& to) {
  const auto width = static_cast<std::size_t>(bytes_of(to.format));
  for_each_element(to, [&](std::byte* element, std::size_t n) {
    std::memcpy(element, from.bytes().data() + n * width, width);
  });
}

class RecordedSubject final : public Subject {
 public:
  explicit RecordedSubject(RecordedCall call) : call_(std::move(call)) {}

  [[nodiscard]] std::string name() const override { return std::string(kRecordedName); }
  [[nodiscard]] Semantics semantics() const override { return call_.semantics; }
  [[nodiscard]] Numerics numerics(const Problem&, Unit) const override { return call_.numerics; }
  [[nodiscard]] std::optional<Unit> own_unit() const override {
    return call_.numerics.unit.value_or(Unit::device);
  }
  [[nodiscard]] std::optional<std::string> unsupported(const Problem& problem,
                                                       Unit unit) const override {
    if (unit != *own_unit()) return "its unit is " + std::string(name_of(*own_unit()));
    if (problem != call_.problem) return "it is the record of one problem";
    return std::nullopt;
  }

  RunOutcome run(const Problem&, const ForwardInputs&, const ForwardOutputs& out,
                 const RunSettings&) const override {
    write(call_.o, out.o);
    write(call_.lse, out.lse);
    return {};
  }

  RunOutcome run_backward(const Problem&, const BackwardInputs&, const BackwardOutputs& out,
                          const RunSettings&) const override {
    write(call_.dq, out.dq);
    write(call_.dk, out.dk);
    write(call_.dv, out.dv);
    return {};
  }

 private:
  RecordedCall call_;
};

}  // namespace

std::unique_ptr<Subject> recorded_subject(RecordedCall call) {
  return std::make_unique<RecordedSubject>(std::move(call));
}

}  // namespace attest
