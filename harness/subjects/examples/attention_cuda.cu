/* attention_cuda.cu - a CUDA kernel behind attest/subject.h: one thread a row, f16 and bf16.
 *
 *   nvcc -shared -Xcompiler -fPIC -I... attention_cuda.cu -o libattention_cuda.so
 *   attest check --subject plugin:./libattention_cuda.so
 *
 * Tensors lie in host memory, so that the plug-in copies. What is not declared (unit, exp2, log)
 * takes the worst value that GPUs are known to have. */
#include <attest/subject.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>

namespace {

__device__ float widen(__half x) { return __half2float(x); }
__device__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ void narrow(float x, __half* to) { *to = __float2half_rn(x); }
__device__ void narrow(float x, __nv_bfloat16* to) { *to = __float2bfloat16_rn(x); }

struct Shape {
  int64_t heads_q, heads_k, n_q, n_k, d_qk, d_v, left, right, middle;
  float scale;
};

// Two passes: the maximum, then weights and sums.
template <class T>
__global__ void attend(Shape p, const T* q, const T* k, const T* v, T* o, float* lse,
                       int64_t rows) {
  const int64_t row = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int64_t i = row % p.n_q, h = row / p.n_q % p.heads_q, b = row / p.n_q / p.heads_q;
  const int64_t head = b * p.heads_k + h / (p.heads_q / p.heads_k);
  const auto score = [&](int64_t j) {
    float s = 0;
    for (int64_t d = 0; d < p.d_qk; ++d)
      s = fmaf(widen(q[row * p.d_qk + d]), widen(k[(head * p.n_k + j) * p.d_qk + d]), s);
    return s;
  };
  const int64_t at = i + p.middle;
  const int64_t first = p.left > at ? 0 : at - p.left;
  const int64_t last = p.right >= p.n_k - 1 - at ? p.n_k : at + p.right + 1;
  const float c = p.scale * 1.44269504f;
  float m = -INFINITY, l = 0;
  for (int64_t j = first; j < last; ++j) m = fmaxf(m, score(j));
  for (int64_t j = first; j < last; ++j) l += exp2f((score(j) - m) * c);
  for (int64_t d = 0; d < p.d_v; ++d) {
    float sum = 0;
    for (int64_t j = first; j < last; ++j)
      sum = fmaf(exp2f((score(j) - m) * c), widen(v[(head * p.n_k + j) * p.d_v + d]), sum);
    narrow(first < last ? sum / l : 0.0f, &o[row * p.d_v + d]);
  }
  lse[row] = first < last ? m * p.scale + logf(l) : -INFINITY;
}

size_t bytes_of(const attest_tensor* t) {
  return size_t(t->shape[0] * t->shape[1] * t->shape[2] * t->shape[3]) * t->dtype.bits / 8;
}

// A tensor on the device for as long as a call takes.
class DeviceCopy {
 public:
  explicit DeviceCopy(const attest_tensor* t) : host_(t), bytes_(bytes_of(t)) {
    keep(cudaMalloc(&device_, bytes_ + 1));
    keep(cudaMemcpy(device_, t->data, bytes_, cudaMemcpyHostToDevice));
  }
  ~DeviceCopy() { cudaFree(device_); }
  void fetch() { keep(cudaMemcpy(host_->data, device_, bytes_, cudaMemcpyDeviceToHost)); }
  template <class T>
  T* as() const {
    return static_cast<T*>(device_);
  }
  cudaError_t trouble() const { return trouble_; }

 private:
  void keep(cudaError_t error) {
    if (trouble_ == cudaSuccess) trouble_ = error;
  }
  const attest_tensor* host_;
  size_t bytes_;
  void* device_ = nullptr;
  cudaError_t trouble_ = cudaSuccess;
};

template <class T>
cudaError_t launch(const attest_forward_call* c) {
  const attest_problem& p = *c->problem;
  const Shape shape = {p.heads_q, p.heads_k, p.n_q,
                       p.n_k,     p.d_qk,    p.d_v,
                       p.left,    p.right,   p.align == ATTEST_BOTTOM_RIGHT ? p.n_k - p.n_q : 0,
                       p.scale};
  const int64_t rows = p.batch * p.heads_q * p.n_q;
  DeviceCopy q(c->q), k(c->k), v(c->v), o(c->o), lse(c->lse);
  if (rows > 0)
    attend<T><<<unsigned((rows + 63) / 64), 64>>>(shape, q.as<T>(), k.as<T>(), v.as<T>(), o.as<T>(),
                                                  lse.as<float>(), rows);
  cudaError_t error = cudaGetLastError();
  o.fetch();  // waits for the kernel
  lse.fetch();
  for (const DeviceCopy* copy : {&q, &k, &v, &o, &lse})
    if (error == cudaSuccess) error = copy->trouble();
  return error;
}

int32_t forward(const attest_forward_call* c) {
  const bool bf16 = c->problem->in.code == ATTEST_BFLOAT;
  const cudaError_t error = bf16 ? launch<__nv_bfloat16>(c) : launch<__half>(c);
  if (error == cudaSuccess) return ATTEST_OK;
  snprintf(c->message, c->message_bytes, "%s", cudaGetErrorString(error));
  return error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? ATTEST_UNSUPPORTED
                                                                            : ATTEST_FAILED;
}

attest_subject describe() {
  attest_subject s = {};
  s.struct_size = sizeof s;
  s.name = "attention";
  s.about = "one thread a row, two passes over the keys";
  s.capabilities = "formats=f16,bf16;masks=full,causal,window;gqa=yes;device=cuda";
  s.semantics = "dead_o=zero;dead_lse=-inf;nonfinite=row_local";
  s.numerics =
      "scale_at=scores;s_store=none;exponent=difference_first;p_format=f32;p_truncated=no;"
      "p_normalised=after;l_from=unrounded;l_chain=sequential;tile_k=1048576;order=ascending;"
      "o_rounding=nearest;lse_format=f32;split=none";
  s.promises = "deterministic=yes";
  s.forward = forward;
  return s;
}

}  // namespace

extern "C" const attest_plugin* attest_plugin_table(void) {
  static const attest_subject attention = describe();
  static const attest_subject* const subjects[] = {&attention};
  static const attest_plugin table = {ATTEST_ABI_MAJOR, sizeof table, 1, subjects};
  return &table;
}
