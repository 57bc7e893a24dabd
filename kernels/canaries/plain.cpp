#include "kernels/canaries/plain.hpp"

#include "kernels/canaries/plain_subject.hpp"

namespace attest {
namespace {

bool plain_holds(Format format) {
  return format == Format::f32 || format == Format::f16 || format == Format::bf16;
}

}  // namespace

std::optional<std::string> plain_declines(const Problem& problem, Unit unit) {
  if (unit != Unit::fp32_seq) {
    return "the plain kernel is scalar: unit fp32-seq only, not " + std::string(name_of(unit));
  }
  if (!plain_holds(problem.in)) {
    return "the plain kernel takes f32, f16 or bf16 inputs, not " +
           std::string(shape_of(problem.in).name);
  }
  if (!plain_holds(problem.out)) {
    return "the plain kernel writes f32, f16 or bf16, not " +
           std::string(shape_of(problem.out).name);
  }
  return std::nullopt;
}

Semantics plain_semantics() {
  Semantics semantics;
  semantics.dead_o = DeadO::zero;
  semantics.dead_lse = DeadLse::minus_inf;
  semantics.nonfinite = NonFinite::row_local;
  semantics.beyond_lengths = BeyondLengths::zero;
  return semantics;
}

std::span<const PlainForm> plain_forms() {
  static const PlainForm kForms[] = {
      {"plain", "scalar tiled kernel, online softmax, tiles of 16 keys", {}, true},
      {"variant/plain-f32-d",
       "plain with f32 P, and D from an f32 O that the backward computes again",
       {.p_format = Format::f32, .d_source = DSource::f32_o}},
      {"variant/plain-fused",
       "plain with exp2(fma(x, c, -m c)), and dQ in one chain",
       {.exponent = Exponent::fused, .dq_sum = DqSum::Kind::one_chain}},
      {"variant/plain-p-dp",
       "plain with D summed from P dP, and dS from the rounded P",
       {.d_source = DSource::p_dp, .p_in_ds = PInDs::rounded}},
      {"variant/plain-last-first",
       "plain with the last tile of keys first",
       {.last_tile_first = true}},
      {"variant/plain-lazy",
       "plain with a rescale only where the maximum has risen by a factor of 2^8",
       {.lag = 8}},
      {"variant/plain-per-head",
       "plain with dK and dV of each head of a group stored in f32, then added",
       {.head_gradient = Format::f32}},
      {"variant/plain-product-first",
       "plain with exp2(x c - m c)",
       {.exponent = Exponent::product_first}},
      {"variant/plain-rounded-sum",
       "plain with l summed from the rounded P",
       {.l_from = LFrom::rounded}},
      {"variant/plain-scaled-max",
       "plain with a maximum of scaled scores",
       {.exponent = Exponent::scaled_max}},
      {"variant/plain-split",
       "plain over parts of 32 keys with f32 outputs, merged and divided",
       {.part_k = 32},
       true},
      {"variant/plain-split-16-bit",
       "plain over parts of 16 keys with 16-bit outputs, merged by exp(L_s - L)",
       {.part_k = 16, .part_format = std::nullopt, .combine = Combine::exp_lse},
       true},
      {"variant/plain-tile-4", "plain with tiles of 4 keys", {.tile_k = 4}},
      {"variant/plain-tile-7", "plain with tiles of 7 keys", {.tile_k = 7}},
  };
  return kForms;
}

std::unique_ptr<Subject> make_plain(std::string name, PlainConfig config, bool offers) {
  return std::make_unique<PlainSubject<NoFault>>(std::move(name), config, offers);
}

}  // namespace attest
