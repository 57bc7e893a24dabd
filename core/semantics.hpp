// semantics.hpp - what a subject declares about conventions, where kernels legitimately differ.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attest {

enum class DeadO : std::uint8_t { zero, nan, unspecified };
enum class DeadLse : std::uint8_t { minus_inf, plus_inf, unspecified };
enum class LseBase : std::uint8_t { e, two };
enum class WindowEdge : std::uint8_t { inclusive, exclusive };
enum class NonFinite : std::uint8_t {
  row_local,  // a NaN reaches only the rows for which its key is live
  propagate,  // it may reach other rows of the same tile
  unspecified,
};
enum class BeyondLengths : std::uint8_t { zero, untouched, unspecified };  // rows i >= lq

struct Semantics {
  DeadO dead_o = DeadO::unspecified;
  DeadLse dead_lse = DeadLse::unspecified;
  LseBase lse_base = LseBase::e;
  bool lse_scaled = true;  // LSE is of the scaled scores
  bool align_top_left = true;
  bool align_bottom_right = true;
  WindowEdge window = WindowEdge::inclusive;
  NonFinite nonfinite = NonFinite::unspecified;
  BeyondLengths beyond_lengths = BeyondLengths::unspecified;

  friend bool operator==(const Semantics&, const Semantics&) = default;
};

// "dead_o=zero;dead_lse=-inf;lse_base=e;lse_scaled=yes;aligns=tl,br;..."; parsing gives the same
// back, and an absent key keeps its default. Throws Error (usage) on an unknown key or value.
[[nodiscard]] std::string to_string(const Semantics& semantics);
[[nodiscard]] Semantics parse_semantics(std::string_view text);

}  // namespace attest
