// device_commands.cuh - the subcommands of attest-device beside serve. Each returns the exit status
// and throws Error (ours) when a CUDA call fails.
#pragma once

namespace attest {

// "device 0: NVIDIA H100, sm_90, 132 multiprocessors"; throws where there is none.
int print_devices();

// Reads tiles from standard input and prints what the matrix unit makes of them, a line each:
//   f16|bf16 <a, 16x16 row-major> <b, 16x8 row-major> <c, 16x8 row-major>   ->   <d, 16x8
//   row-major>
// Values are bits in hex, 4 digits each of a and b, 8 of c and d, without separators.
int multiply_given_tiles();

// ex2.approx.f32 and ex2.approx.ftz.f32 over all 2^32 arguments, against 2^x in binary64: a
// histogram of errors in units in the last place, the largest relative error, and whether each
// argument without a relative error (NaN, infinities, flushed results) gives what it must. Exit
// status 1 when something lies beyond what forms with the machine's exp2 declare.
int sweep_ex2();

// exp2_poly and log_poly over all 2^32 arguments: how many results differ from the host's, which
// come of the same headers. NaNs are one value. Exit status 1 when any differs.
int sweep_poly();

// Nanoseconds per head of each form, element and head dimension, n = 1,024, a line each.
int time_forms();

}  // namespace attest
