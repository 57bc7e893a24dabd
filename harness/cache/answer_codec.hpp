// answer_codec.hpp - answers of the oracle as bytes, and back, bit for bit.
//
// The one place that knows which fields an answer has. There is no version in the bytes: whoever
// keeps them keys them by oracle_digest(), which changes with every source that they depend on.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/answer.hpp"
#include "core/backward_answer.hpp"

namespace attest {

// Of the given rows of O and LSE: classes, enclosures, moments, bits. Lower bounds of loose moments
// are left out: nothing asks for those of rows that multiprecision has worked.
[[nodiscard]] std::vector<std::byte> bytes_of_rows(const Answer& answer,
                                                   std::span<const std::size_t> rows);

// Writes them back. Says whether the bytes held just those rows; if not, some may be written.
[[nodiscard]] bool put_rows(std::span<const std::byte> bytes, std::span<const std::size_t> rows,
                            Answer& answer);

[[nodiscard]] std::vector<std::byte> bytes_of(const BackwardAnswer& answer);

// Nothing where the bytes are no such answer.
[[nodiscard]] std::optional<BackwardAnswer> backward_answer_of(std::span<const std::byte> bytes);

}  // namespace attest
