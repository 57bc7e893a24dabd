// placed_call.hpp - one call of a subject on tensors that a law has laid out as it likes.
//
// Whatever the pass, a call reads and writes some of ten tensors. A backward starts from the O and
// LSE that the case's own run stored.
#pragma once

#include <array>
#include <span>

#include "properties/law.hpp"

namespace attest {

// In this order.
enum Place : std::size_t { kQ, kK, kV, kO, kLse, kDout, kGlse, kDq, kDk, kDv, kPlaces };

[[nodiscard]] std::string_view name_of(Place place);

// Does a call of this pass write the tensor?
[[nodiscard]] bool is_written(Place place, Pass pass);

// What a call finds: inputs, poison in what it writes, and nothing where the pass has no such
// tensor.
[[nodiscard]] std::array<Tensor, kPlaces> tensors_before(const LawContext& context);

// Requires: a view for each place, with the elements of tensors_before.
[[nodiscard]] RunOutcome placed_call(const LawContext& context,
                                     const std::array<TensorView, kPlaces>& views);

// The outputs, once the elements have been brought together again.
[[nodiscard]] Outputs outputs_of(std::array<Tensor, kPlaces> tensors);

}  // namespace attest
