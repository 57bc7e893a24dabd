// attest/computed.hpp - what your kernel was given and what it wrote, for attest to judge.
//
// C++17, nothing but this file and attest/subject.h. Describe the problem, point at the tensors
// where they lie, and hand it to attest::judge (attest/report.hpp) or to the matcher
// attest::IsAccepted (attest/matcher.hpp):
//
//   attest::Problem problem;
//   problem.heads_q = problem.heads_k = 8;
//   problem.n_q = problem.n_k = 200;
//   problem.d_qk = problem.d_v = 64;
//   problem.in = problem.out = attest::Element::bf16;
//   problem.scale = 0.125f;
//   problem.right = 0;  // causal
//   EXPECT_THAT((attest::Forward{problem, q, k, v, o, lse}), attest::IsAccepted("p_format=bf16"));
//
// Tensors lie in host memory: what a GPU wrote has to be copied first.
#pragma once

#include <attest/subject.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace attest {

enum class Element { f16, bf16, f32, f64, e4m3, e5m2 };
enum class Mask { top_left, bottom_right };  // where the band is fixed: see `align` of subject.h

// O = softmax(scale Q K^T + mask) V, and LSE = log sum exp of a row's live scores: natural
// logarithm, scale included. The mask is the band of attest/subject.h, which says more about each
// field.
struct Problem {
  std::int64_t batch = 1, heads_q = 1, heads_k = 1;  // heads_q is a multiple of heads_k
  std::int64_t n_q = 1, n_k = 1;                     // rows of q, rows of k and v
  std::int64_t d_qk = 1, d_v = 1;                    // columns of q and k, of v and o
  Element in = Element::f16;                         // of q, k, v and dout
  Element out = Element::f16;                        // of o, dq, dk and dv; lse is binary32
  float scale = 1;                                   // positive and finite; no default is guessed
  std::int64_t left = ATTEST_UNLIMITED;              // keys seen before the diagonal
  std::int64_t right = ATTEST_UNLIMITED;             // and behind it; 0 is causal
  Mask align = Mask::bottom_right;
  std::vector<std::int64_t> lq, lk;  // live rows of each batch entry; empty: all of them
};

// A tensor of four dimensions: [batch, heads, rows, columns], or [batch, heads, rows, 1] for lse.
// Strides are in elements; all zero means row-major without gaps. For [batch, rows, heads, columns]
// in memory they are {rows * heads * columns, columns, heads * columns, 1}.
struct View {
  View(const void* row_major = nullptr) : data(row_major) {}
  View(const void* first, const std::array<std::int64_t, 4>& in_elements)
      : data(first), strides(in_elements) {}

  const void* data;
  std::array<std::int64_t, 4> strides{};
};

// A forward pass that has run. `lse` is binary32.
struct Forward {
  Problem problem;
  View q, k, v;
  View o, lse;
};

// A backward pass that has run, and the O and LSE that it started from: gradients of sum(O o dO),
// and of sum(LSE o gL) where glse (binary32) is given. They are judged twice: against the exact
// gradients, and against those that follow from this O and LSE.
struct Backward {
  Problem problem;
  View q, k, v, o, lse;
  View dout, dq, dk, dv;
  View glse = {};  // no data: none
};

// What the kernel declares, in the words of attest/subject.h. What is left open takes its worst
// value (numerics), or is not judged (semantics).
struct Declared {
  std::string numerics, semantics;
};

namespace detail {

struct NamedElement {
  const char* name;
  std::size_t bytes;
};
inline NamedElement named(Element element) {
  constexpr NamedElement all[] = {{"f16", 2}, {"bf16", 2}, {"f32", 4},
                                  {"f64", 8}, {"e4m3", 1}, {"e5m2", 1}};
  return all[static_cast<int>(element)];
}

inline std::string width_text(std::int64_t width) {
  return width == ATTEST_UNLIMITED ? "inf" : std::to_string(width);
}

inline std::string lengths_text(const char* key, const std::vector<std::int64_t>& lengths) {
  std::string text;
  for (const std::int64_t length : lengths) {
    text += (text.empty() ? std::string(";") + key + "=" : ",") + std::to_string(length);
  }
  return text;
}

inline std::string problem_text(const Problem& p, const char* pass) {
  char scale[64];
  std::snprintf(scale, sizeof scale, "%a", static_cast<double>(p.scale));
  const auto number = [](const char* key, std::int64_t value) {
    return std::string(key) + "=" + std::to_string(value) + ";";
  };
  return "attest1:" + number("b", p.batch) + number("hq", p.heads_q) + number("hk", p.heads_k) +
         number("nq", p.n_q) + number("nk", p.n_k) + number("dqk", p.d_qk) + number("dv", p.d_v) +
         "in=" + named(p.in).name + ";out=" + named(p.out).name + ";scale=" + scale +
         ";left=" + width_text(p.left) + ";right=" + width_text(p.right) +
         (p.align == Mask::top_left ? ";align=tl" : ";align=br") + lengths_text("lq", p.lq) +
         lengths_text("lk", p.lk) + ";pass=" + pass;
}

using Extents = std::array<std::int64_t, 4>;

// A line of the record: bits in hexadecimal, the most significant digit of an element first.
inline void add_tensor(std::string& record, const char* name, const View& view, Element element,
                       const Extents& extents) {
  const std::size_t bytes = named(element).bytes;
  const bool dense = view.strides == Extents{};
  const Extents row_major = {extents[1] * extents[2] * extents[3], extents[2] * extents[3],
                             extents[3], 1};
  const Extents& strides = dense ? row_major : view.strides;
  record += std::string(name) + " ";
  for (std::int64_t b = 0; b < extents[0]; ++b) {
    for (std::int64_t h = 0; h < extents[1]; ++h) {
      for (std::int64_t row = 0; row < extents[2]; ++row) {
        for (std::int64_t column = 0; column < extents[3]; ++column) {
          const std::int64_t at =
              b * strides[0] + h * strides[1] + row * strides[2] + column * strides[3];
          const auto* const first =
              static_cast<const unsigned char*>(view.data) + at * static_cast<std::int64_t>(bytes);
          for (std::size_t n = bytes; n-- > 0;) {
            record += "0123456789abcdef"[first[n] >> 4];
            record += "0123456789abcdef"[first[n] & 15];
          }
        }
      }
    }
  }
  record += "\n";
}

struct Record {
  const Problem& p;
  std::string text;

  Record(const Problem& problem, const char* pass, const Declared& declared)
      : p(problem),
        text("attest.call/1\nproblem " + problem_text(problem, pass) + "\nnumerics " +
             declared.numerics + "\nsemantics " + declared.semantics + "\n") {}
  void add_queries(const char* name, const View& view, Element element, std::int64_t columns) {
    add_tensor(text, name, view, element, {p.batch, p.heads_q, p.n_q, columns});
  }
  void add_keys(const char* name, const View& view, Element element, std::int64_t columns) {
    add_tensor(text, name, view, element, {p.batch, p.heads_k, p.n_k, columns});
  }
  template <class Pass>
  void add_forward(const Pass& c) {
    add_queries("q", c.q, p.in, p.d_qk);
    add_keys("k", c.k, p.in, p.d_qk);
    add_keys("v", c.v, p.in, p.d_v);
    add_queries("o", c.o, p.out, p.d_v);
    add_queries("lse", c.lse, Element::f32, 1);
  }
};

inline std::string record_of(const Forward& c, const Declared& declared) {
  Record record(c.problem, "fwd", declared);
  record.add_forward(c);
  return record.text;
}

inline std::string record_of(const Backward& c, const Declared& declared) {
  const bool with_glse = c.glse.data != nullptr;
  Record record(c.problem, with_glse ? "bwd;glse=yes" : "bwd", declared);
  record.add_forward(c);
  record.add_queries("dout", c.dout, c.problem.in, c.problem.d_v);
  if (with_glse) record.add_queries("glse", c.glse, Element::f32, 1);
  record.add_queries("dq", c.dq, c.problem.out, c.problem.d_qk);
  record.add_keys("dk", c.dk, c.problem.out, c.problem.d_qk);
  record.add_keys("dv", c.dv, c.problem.out, c.problem.d_v);
  return record.text;
}

}  // namespace detail
}  // namespace attest
