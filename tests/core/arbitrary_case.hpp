// arbitrary_case.hpp - RapidCheck generators of any problem and any case that the text can name.
//
// Sizes are pinned: RapidCheck ramps them up from zero, and the limits would hardly be met.
#pragma once

#include <gtest/gtest.h>
// RapidCheck's gtest header needs the one above it.
#include <rapidcheck/gtest.h>

#include <bit>
#include <ostream>
#include <string>
#include <vector>

#include "core/case.hpp"

namespace attest {

inline void showValue(const Problem& problem, std::ostream& os) { os << to_string(problem); }
inline void showValue(const Case& c, std::ostream& os) { os << to_string(c); }

template <class Value>
rc::Gen<Value> between(Value least, Value most) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Value>(least, most + 1));
}

inline rc::Gen<std::uint64_t> any_bits() {
  return rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
}

inline rc::Gen<Format> any_format() {
  return rc::gen::element(Format::f64, Format::f32, Format::f16, Format::bf16);
}

// Any positive finite binary32: patterns are uniform, so that every binade occurs.
inline rc::Gen<float> any_scale() {
  return rc::gen::map(between<std::uint32_t>(1, 0x7f7fffff),
                      [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
}

inline rc::Gen<Index> any_width() {
  return rc::gen::weightedOneOf<Index>(
      {{2, rc::gen::just(kUnlimited)},
       {2, between<Index>(-130, 130)},
       {1, rc::gen::element<Index>(Index{1} << 31, -(Index{1} << 31))}});
}

// Lengths of every batch entry, or none at all.
inline std::vector<Index> any_lengths(Index batch, Index limit) {
  std::vector<Index> lengths;
  if (*rc::gen::arbitrary<bool>()) return lengths;
  for (Index b = 0; b < batch; ++b) lengths.push_back(*between<Index>(0, limit));
  return lengths;
}

// Sizes up to `most`, and the head counts, formats, band and lengths that may go with them.
inline rc::Gen<Problem> any_problem(Index most) {
  return rc::gen::exec([most] {
    Problem p;
    p.batch = *between<Index>(1, 3);
    p.heads_k = *between<Index>(1, 3);
    p.heads_q = p.heads_k * *between<Index>(1, 3);
    p.n_q = *between<Index>(0, most);
    p.n_k = *between<Index>(0, most);
    p.d_qk = *between<Index>(1, most);
    p.d_v = *between<Index>(1, most);
    p.in = *any_format();
    p.out = *any_format();
    p.scale = *any_scale();
    p.left = *any_width();
    p.right = *any_width();
    p.align = *rc::gen::element(Align::top_left, Align::bottom_right);
    p.lq = any_lengths(p.batch, p.n_q);
    p.lk = any_lengths(p.batch, p.n_k);
    p.pass = *rc::gen::element(Pass::fwd, Pass::bwd);
    p.lse_gradient = p.pass == Pass::bwd && *rc::gen::arbitrary<bool>();
    return p;
  });
}

// A case of the first, second or third form of data; literal data is drawn for small problems.
enum class DataForm { family, file, literal };

inline rc::Gen<Case> any_case(DataForm form) {
  return rc::gen::exec([form]() -> Case {
    if (form == DataForm::family) {
      return {*any_problem(5000),
              FamilyData{*rc::gen::element<std::string>("F1", "F7", "F21"), *any_bits()}};
    }
    if (form == DataForm::file) {
      std::string digest;
      while (digest.size() < 64) digest += "0123456789abcdef"[*between(0, 15)];
      return {*any_problem(5000), FileData{digest}};
    }
    const Problem problem = *any_problem(3);
    Inputs inputs = zero_inputs(problem);
    for (Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v, &inputs.dout, &inputs.glse}) {
      for (std::byte& byte : tensor->bytes()) byte = static_cast<std::byte>(*any_bits());
    }
    return {problem, inputs};
  });
}

}  // namespace attest
