/* Declares the schedule of a tiled kernel that rounds its weights to f16, and calls something else:
 * the answer is right, the declaration is not. */
#include "cheat.h"

const attest_plugin *attest_plugin_table(void) {
  const attest_plugin *const table = one_cheat("borrowed", forward);
  disguised[0].capabilities = "formats=f16;masks=full,causal,window,band;gqa=yes;varlen=yes";
  disguised[0].numerics =
      "unit=fp32-seq;scale_at=scores;c=once;s_store=none;exponent=difference_first;"
      "exp2=0x1.00001p-24;exp_ftz=no;p_format=f16;p_truncated=no;p_normalised=after;"
      "l_from=unrounded;l_chain=sequential;tile_k=16;order=ascending;divide=exact;o_format=f16;"
      "o_rounding=nearest;lse_format=f32;log=0x1.00001p-24;ftz=no;o_ftz=no;split=none";
  return table;
}
