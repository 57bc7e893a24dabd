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

  // Places in BackwardAnswer.
  [[nodiscard]] std::size_t row_of(std::size_t r) const;  // of rows, and of dQ's rows
  [[nodiscard]] std::size_t key_of(Index j) const;        // of dK's and dV's rows
};

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
