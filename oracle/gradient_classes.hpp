// gradient_classes.hpp - what kind of answer each gradient has, decided before any number is
// computed, and which rows have numbers to add.
//
// A live NaN propagates along the formulas: through P into everything of its row, through dO, gL
// or V into dS. A live infinity, or a stored O or LSE that is not finite, makes what it reaches
// undefined, since correct kernels differ there. NaN wins: no infinity undoes it.
#pragma once

#include <vector>

#include "core/backward_answer.hpp"
#include "oracle/gradient_operands.hpp"
#include "oracle/mask.hpp"

namespace attest {

// What one query row hands on. `p` and `ds` are finite, nan, undefined, dead or beyond, together.
struct RowPart {
  KeyRange live;
  OutputClass p = OutputClass::finite;
  OutputClass ds = OutputClass::finite;
};

// One key head and the query rows of its group: everything that meets in its dK and dV.
struct HeadTask {
  const Problem& problem;
  Index b;
  Index h_k;
  bool stored;    // is there a stored O and LSE?
  bool d_from_p;  // StoredForward's
  GradientHead head;
  std::vector<GradientQuery> rows;  // by query head, then by row
  std::vector<RowPart> parts;       // of these

  [[nodiscard]] std::size_t keys() const { return static_cast<std::size_t>(problem.n_k); }
  [[nodiscard]] std::size_t d_qk() const { return static_cast<std::size_t>(problem.d_qk); }
  [[nodiscard]] std::size_t d_v() const { return static_cast<std::size_t>(problem.d_v); }

  // Places in BackwardAnswer.
  [[nodiscard]] std::size_t row_of(std::size_t r) const;  // of rows, and of dQ's rows
  [[nodiscard]] std::size_t key_of(Index j) const;        // of dK's and dV's rows
};

// Solves the rows that have weights, one after the other, then writes what they gave to each key;
// false, and nothing more, where `solve_row` does not manage one.
template <class SolveRow, class WriteKey>
[[nodiscard]] bool solve_rows(const HeadTask& task, const SolveRow& solve_row,
                              const WriteKey& write_key) {
  for (std::size_t r = 0; r < task.rows.size(); ++r) {
    if (task.parts[r].p == OutputClass::finite && !solve_row(r)) return false;
  }
  for (std::size_t j = 0; j < task.keys(); ++j) write_key(j);
  return true;
}

[[nodiscard]] HeadTask read_head_task(const Problem& problem, const Inputs& inputs,
                                      const std::optional<StoredForward>& stored, Index b,
                                      Index h_k);

// Everything zero and of the right size.
[[nodiscard]] BackwardAnswer empty_answer(const Problem& problem);

// Of a row whose dS are not numbers: its pairs serve dV alone.
void forget_score_gradients(BackwardRow& row);

// Writes the classes of the head's dQ, dK and dV, and [0, 0] where they are not finite.
void settle_classes(const HeadTask& task, BackwardAnswer& answer);

}  // namespace attest
