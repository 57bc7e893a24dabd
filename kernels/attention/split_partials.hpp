// split_partials.hpp - keys in parts: which of them a block takes, and what it leaves of its rows
// for the combine kernel.
//
// Part s holds the keys s part_k .. (s + 1) part_k - 1. Of each row it leaves an LSE and an O that
// is already divided by its own sum: the state of a row that has seen these keys alone. A part
// without a key for a row is (0, -inf), the identity of the merge; its O is neither stored nor
// loaded.
#pragma once

#include "kernels/attention/forward_arguments.hpp"

namespace attest {
inline namespace ATTEST_MACHINE {

template <class Element>
struct SplitPartials {
  GlobalSpan<float> lse;     // [parts, rows]
  GlobalSpan<float> o_wide;  // [parts, rows, d_v], or nothing where partials have 16 bits
  GlobalSpan<Element> o;     // in its place
  std::int64_t rows = 0;     // of q, over all batch entries and heads
  int d_v = 0;
  int part_k = 0;
  int parts = 1;
  bool wide = true;

  ATTEST_DEVICE std::int64_t at(int part, std::int64_t row) const { return part * rows + row; }

  ATTEST_DEVICE void store(int part, std::int64_t row, int column, float value,
                           Where where = Where::current()) const {
    const std::int64_t to = at(part, row) * d_v + column;
    if (wide) {
      o_wide.store(to, value, where);
    } else {
      o.store(to, round_to<Element>(value), where);
    }
  }
  ATTEST_DEVICE float load(int part, std::int64_t row, int column,
                           Where where = Where::current()) const {
    const std::int64_t from = at(part, row) * d_v + column;
    return wide ? o_wide.load(from, where) : widen(o.load(from, where));
  }
};

// What a block of a forward kernel does with parts: of a kernel that takes all keys at once,
// nothing, and outputs are final.
template <class Element, bool kSplit>
struct KeyParts {
  ATTEST_DEVICE static int count() { return 1; }
  ATTEST_DEVICE static KeyRange clip(KeyRange seen, int) { return seen; }
  ATTEST_DEVICE static void store_lse(const ForwardArguments<Element>& arg, int, std::int64_t row,
                                      float value, Where where = Where::current()) {
    arg.lse.store(row, value, where);
  }
  ATTEST_DEVICE static void store_o(const ForwardArguments<Element>& arg, int, std::int64_t row,
                                    int column, float value, Where where = Where::current()) {
    arg.store_o(row, column, value, where);
  }
};

template <class Element>
struct KeyParts<Element, true> {
  SplitPartials<Element> partials;

  ATTEST_DEVICE int count() const { return partials.parts; }
  // The keys of `seen` that lie in the part; from 0 where there are none, as in Band.
  ATTEST_DEVICE KeyRange clip(KeyRange seen, int part) const {
    const std::int64_t first = std::int64_t(part) * partials.part_k;
    const std::int64_t last = first + partials.part_k;
    if (first > seen.first) seen.first = first < seen.last ? int(first) : seen.last;
    if (last < seen.last) seen.last = int(last);
    return seen.empty() ? KeyRange{0, 0} : seen;
  }
  ATTEST_DEVICE void store_lse(const ForwardArguments<Element>&, int part, std::int64_t row,
                               float value, Where where = Where::current()) const {
    partials.lse.store(partials.at(part, row), value, where);
  }
  ATTEST_DEVICE void store_o(const ForwardArguments<Element>&, int part, std::int64_t row,
                             int column, float value, Where where = Where::current()) const {
    partials.store(part, row, column, value, where);
  }
};

}  // namespace ATTEST_MACHINE
}  // namespace attest
