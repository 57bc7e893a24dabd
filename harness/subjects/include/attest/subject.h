/* attest/subject.h - how a shared library offers its attention kernels to attest.
 *
 * C11, nothing but this file. A library exports one function, attest_plugin_table, which returns a
 * table of its kernels ("subjects"). attest loads the library into a process of its own, calls the
 * kernels there and judges what they wrote; it never frees, keeps or hands over memory of yours,
 * and you never any of its own. Nothing may be thrown across this interface.
 *
 * Compatibility: ATTEST_ABI_MAJOR changes when old libraries can no longer be called. Otherwise
 * structs only grow at their ends, and struct_size tells each side how much of one the other knows:
 * read no field beyond it. What a kernel can do and how it computes crosses as text, so that a new
 * word there changes no struct. Set struct_size to sizeof the struct, and unused fields to zero.
 */
#ifndef ATTEST_SUBJECT_H
#define ATTEST_SUBJECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ATTEST_ABI_MAJOR 1u
#define ATTEST_UNLIMITED INT64_MAX

/* A tensor, field for field as DLTensor of DLPack (dlpack.h is not needed). Strides are in elements
 * and never NULL. Element [0, 0, 0, 0] lies at (char*)data + byte_offset. */
typedef struct {
  int32_t device_type; /* ATTEST_DEVICE_CPU, ... */
  int32_t device_id;
} attest_device;

typedef struct {
  uint8_t code;   /* ATTEST_FLOAT, ... */
  uint8_t bits;   /* of one element */
  uint16_t lanes; /* 1 */
} attest_dtype;

typedef struct {
  void* data;
  attest_device device;
  int32_t ndim; /* 4 */
  attest_dtype dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} attest_tensor;

enum { ATTEST_DEVICE_CPU = 1, ATTEST_DEVICE_CUDA = 2 };
enum { ATTEST_FLOAT = 2, ATTEST_BFLOAT = 4, ATTEST_FLOAT8_E4M3FN = 10, ATTEST_FLOAT8_E5M2 = 12 };

/* What is to be computed:
 *
 *   O = softmax(scale Q K^T + mask) V,   LSE = log sum exp of a row's live scores,
 *
 * with q [batch, heads_q, n_q, d_qk], k [batch, heads_k, n_k, d_qk], v [batch, heads_k, n_k, d_v],
 * o [batch, heads_q, n_q, d_v], lse [batch, heads_q, n_q, 1], all row-major here. Query head h
 * reads key head h / (heads_q / heads_k). Key j is live for row i of batch entry b iff
 *
 *   i < lq[b], j < lk[b] and i + off - left <= j <= i + off + right (as integers, no overflow),
 *
 * off = 0 for ATTEST_TOP_LEFT and lk[b] - lq[b] for ATTEST_BOTTOM_RIGHT. */
enum { ATTEST_TOP_LEFT = 0, ATTEST_BOTTOM_RIGHT = 1 };

typedef struct {
  uint64_t struct_size;
  int64_t batch, heads_q, heads_k;
  int64_t n_q, n_k; /* may be 0 */
  int64_t d_qk, d_v;
  int64_t left, right; /* ATTEST_UNLIMITED: no limit on that side */
  const int64_t* lq;   /* [batch] live query rows; NULL: n_q of each */
  const int64_t* lk;   /* [batch] live keys; NULL: n_k of each */
  float scale;         /* positive, finite; to be used as it is */
  int32_t align;
  attest_dtype in;  /* of q, k, v and dout */
  attest_dtype out; /* of o, dq, dk and dv; lse and glse are binary32 */
  /* Which of the subject's `configurations` to take; NULL: its own choice. */
  const char* configuration;
} attest_problem;

/* Every function returns one of these. */
enum {
  ATTEST_OK = 0,
  ATTEST_UNSUPPORTED = 1, /* not this problem; nothing was computed. No verdict follows */
  ATTEST_FAILED = 2       /* it should have worked: the case is rejected */
};

/* Inputs are mapped read-only. Outputs and workspace hold garbage that changes from call to call.
 * No tensor has room behind its last element or before its first. When the function returns, the
 * work is done: a kernel on a stream has been waited for. */
typedef struct {
  uint64_t struct_size;
  const attest_problem* problem;
  const attest_tensor *q, *k, *v;
  const attest_tensor *o, *lse; /* to be written: every row i < lq[b] */
  void* workspace;              /* as many bytes as `workspace_bytes` asked for, else NULL */
  uint64_t workspace_bytes;
  void* stream;           /* of CUDA, when tensors lie on such a device; else NULL */
  char* message;          /* where a sentence may be left for whoever reads the report */
  uint64_t message_bytes; /* the room there, its closing 0 included */
} attest_forward_call;

/* The gradients of sum(O o dO), and of sum(LSE o gL) where glse is given, from the O and LSE that a
 * forward stored. dq is summed over keys, dk and dv over the query heads that share a key head. */
typedef struct {
  uint64_t struct_size;
  const attest_problem* problem;
  const attest_tensor *q, *k, *v, *o, *lse;
  const attest_tensor* dout;         /* as o, in format `in` */
  const attest_tensor* glse;         /* as lse; NULL: none is given */
  const attest_tensor *dq, *dk, *dv; /* to be written: rows of dq below lq[b], others below lk[b] */
  void* workspace;
  uint64_t workspace_bytes;
  void* stream;
  char* message;
  uint64_t message_bytes;
} attest_backward_call;

enum { ATTEST_FORWARD = 0, ATTEST_BACKWARD = 1 };

/* One kernel. Texts are "key=value;key=value"; NULL and "" declare nothing. */
typedef struct {
  uint64_t struct_size;
  const char* name;  /* letters, digits, '-', '_', '.', '/' */
  const char* about; /* one line for people */
  /* What may be asked for; what is not declared never is. What is declared must work, or return
   * ATTEST_UNSUPPORTED.
   *   formats    f16,bf16,f32,f64,e4m3,e5m2 of inputs and outputs alike; f16:f32 where they differ
   *   head_dims  64,128: d_qk = d_v among these; 192:128: d_qk:d_v; any. Left out: any
   *   masks      full, causal, window (left, right >= 0), band (any left and right). Left out: full
   *   gqa        yes: heads_q may be a multiple of heads_k. Left out: no, as below
   *   varlen     yes: lq and lk may be given
   *   glse       yes: the backward takes a gradient of LSE
   *   alignment  each tensor begins at a multiple of so many bytes, a power of two. Left out: of
   *              its element's size
   *   device     cpu or cuda: what runs it. Tensors lie in host memory either way. Left out: cpu */
  const char* capabilities;
  /* Conventions: dead_o=zero|nan|unspecified (of a row without a live key), dead_lse=-inf|+inf|
   * unspecified, aligns=tl|br|tl,br (the corner of q k^T that a causal mask runs into: top left,
   * bottom right, either), nonfinite=row_local|propagate|unspecified (how far a NaN reaches),
   * beyond_lengths=zero|untouched|unspecified (rows from lq[b] on). Left out: unspecified, which is
   * not judged, and both alignments. */
  const char* semantics;
  /* The arithmetic, from which the budget is derived: unit=fp32-seq;exponent=fused;p_format=in;...
   * `attest list numerics` explains the fields and their words, `attest list units` the units. One
   * that is not declared takes its worst value, and the report says so; without s_store=none that
   * is an S stored in 16 bits, after which large scores have no finite budget. A format that is the
   * problem's is `in` or `out`: p_format=in;o_format=out. */
  const char* numerics;
  /* deterministic=yes: the same values give the same bits, at any addresses that `alignment`
   * allows, alone or beside others. batch_invariant=yes: so does a batch entry, whatever others
   * there are. Not to change inputs nor to write elsewhere than to outputs and workspace is asked
   * of everybody. */
  const char* promises;
  /* The bytes of workspace that a call of this pass needs; may also decline the problem. NULL: no
   * call needs any. */
  int32_t (*workspace_bytes)(const attest_problem* problem, int32_t pass, uint64_t* bytes);
  int32_t (*forward)(const attest_forward_call* call);
  int32_t (*backward)(const attest_backward_call* call); /* NULL: none */
  /* Other ways to compute the same that a caller can choose (a number of splits, a tile), a line
   * each: a name of letters, digits and -_./=:, and behind a blank the numerics that differ from
   * those above: "splits=3 split=normalised:f32;part_k=128\ntile=64 tile_k=64". Each is tried and
   * judged by its numerics; a call that it does not fit returns ATTEST_UNSUPPORTED. NULL: there are
   * none. */
  const char* configurations;
} attest_subject;

typedef struct {
  uint32_t abi_major; /* ATTEST_ABI_MAJOR; stays in front in every version */
  uint32_t struct_size;
  uint32_t subject_count;
  const attest_subject* const* subjects;
} attest_plugin;

#define ATTEST_EXPORT __attribute__((visibility("default")))

/* The one symbol that is looked up. The table lives as long as the library is loaded. */
ATTEST_EXPORT const attest_plugin* attest_plugin_table(void);

#ifdef __cplusplus
}
#endif

#endif
