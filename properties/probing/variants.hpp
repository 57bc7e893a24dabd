// variants.hpp - the data of a case under another problem: other sizes, formats, magnitudes.
#pragma once

#include <optional>

#include "core/case.hpp"

namespace attest {

// What stands where a larger shape has no values of its own.
enum class Filling : std::uint8_t { repeated, zeros };

// The values under the shapes of `problem`, from the same format: cropped where it is smaller,
// filled where it is larger. Values that `inputs` has none of (dO, an empty tensor) are zeros.
[[nodiscard]] Inputs reshaped(const Inputs& inputs, const Problem& problem, Filling filling);

// The values rounded to `in`; gL stays in f32.
[[nodiscard]] Inputs converted(const Inputs& inputs, Format in);

// A tensor times a power of two, rounded.
[[nodiscard]] Tensor scaled(const Tensor& tensor, double factor);

// The problem with that size; lengths are cut to it, or repeated for further entries of the batch.
[[nodiscard]] Problem with_size(const Problem& problem, Index Problem::*size, Index value);

}  // namespace attest
