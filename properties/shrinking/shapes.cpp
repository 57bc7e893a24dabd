#include "properties/shrinking/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attest {
namespace {

// Where a crop starts in the tensors that it is taken from.
struct Origin {
  Index b = 0;
  Index head_q = 0;
  Index head_k = 0;
  Index i = 0;
  Index j = 0;
  Index d_qk = 0;
  Index d_v = 0;
  friend bool operator==(const Origin&, const Origin&) = default;
};

void crop(const Tensor& from, Tensor& to, const Extents& start) {
  const ConstTensorView source = from.view();
  const TensorView target = to.view();
  const auto [batch, heads, rows, columns] = to.extents();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index row = 0; row < rows; ++row) {
        for (Index column = 0; column < columns; ++column) {
          target.set_bits(
              b, h, row, column,
              source.bits(start[0] + b, start[1] + h, start[2] + row, start[3] + column));
        }
      }
    }
  }
}

class Shapes {
 public:
  Shapes(const Case& c, const Inputs& inputs) : case_(c), p_(c.problem), inputs_(inputs) {}

  std::vector<Case> all() {
    batches();
    heads();
    sizes(&Problem::n_k, 0);
    sizes(&Problem::n_q, 0);
    sizes(&Problem::d_qk, 1);
    sizes(&Problem::d_v, 1);
    fronts();
    return std::move(found_);
  }

 private:
  // Keeps what `smaller` has of the data from `origin` on, if it can be written down.
  void add(Problem smaller, const Origin& origin = {}) {
    for (Index& length : smaller.lq) length = std::min(length, smaller.n_q);
    for (Index& length : smaller.lk) length = std::min(length, smaller.n_k);
    if (origin == Origin{} && std::holds_alternative<FamilyData>(case_.data)) {
      found_.push_back({smaller, case_.data});
      return;
    }
    if (literal_bytes(smaller) > kLargestLiteral) return;
    Inputs cropped = zero_inputs(smaller);
    crop(inputs_.q, cropped.q, {origin.b, origin.head_q, origin.i, origin.d_qk});
    crop(inputs_.k, cropped.k, {origin.b, origin.head_k, origin.j, origin.d_qk});
    crop(inputs_.v, cropped.v, {origin.b, origin.head_k, origin.j, origin.d_v});
    if (smaller.pass == Pass::bwd) {
      crop(inputs_.dout, cropped.dout, {origin.b, origin.head_q, origin.i, origin.d_v});
    }
    if (smaller.lse_gradient) {
      crop(inputs_.glse, cropped.glse, {origin.b, origin.head_q, origin.i, 0});
    }
    found_.push_back({smaller, std::move(cropped)});
  }

  // One entry of the batch, as a whole problem and with its lengths; then fewer entries.
  void batches() {
    if (p_.batch == 1 && p_.lq.empty() && p_.lk.empty()) return;
    for (Index b = 0; b < p_.batch; ++b) {
      Problem one = p_;
      one.batch = 1;
      one.lq.clear();
      one.lk.clear();
      one.n_q = p_.live_queries(b);
      one.n_k = p_.live_keys(b);
      if (p_.batch > 1 || one.n_q < p_.n_q || one.n_k < p_.n_k) add(one, {.b = b});
      if (!p_.lq.empty()) one.lq = {p_.lq[b]};
      if (!p_.lk.empty()) one.lk = {p_.lk[b]};
      one.n_q = p_.n_q;
      one.n_k = p_.n_k;
      if (p_.batch > 1) add(one, {.b = b});
    }
    for (Index fewer = p_.batch - 1; fewer > 1; --fewer) {
      Problem smaller = p_;
      smaller.batch = fewer;
      if (!p_.lq.empty()) smaller.lq.resize(static_cast<std::size_t>(fewer));
      if (!p_.lk.empty()) smaller.lk.resize(static_cast<std::size_t>(fewer));
      add(smaller);
    }
  }

  // One query head with its key head; one group; one query head a group; one group less.
  void heads() {
    const Index group = p_.heads_q / p_.heads_k;
    if (p_.heads_q > 1) {
      for (Index h = 0; h < p_.heads_q; ++h) {
        add_heads(1, 1, {.head_q = h, .head_k = h / group});
      }
    }
    if (p_.heads_k > 1 && group > 1) {
      for (Index h = 0; h < p_.heads_k; ++h) {
        add_heads(group, 1, {.head_q = h * group, .head_k = h});
      }
      add_heads(p_.heads_k, p_.heads_k);
    }
    if (p_.heads_k > 2) add_heads(p_.heads_q - group, p_.heads_k - 1);
    if (group > 2) add_heads(p_.heads_q - p_.heads_k, p_.heads_k);
  }

  void add_heads(Index heads_q, Index heads_k, const Origin& origin = {}) {
    Problem smaller = p_;
    smaller.heads_q = heads_q;
    smaller.heads_k = heads_k;
    add(smaller, origin);
  }

  // The least sizes, then n less a half, a quarter, ..., less one.
  void sizes(Index Problem::*size, Index least) {
    std::vector<Index> tried;
    const Index n = p_.*size;
    const auto attempt = [&](Index smaller) {
      if (smaller >= n || smaller < least || std::ranges::find(tried, smaller) != tried.end())
        return;
      tried.push_back(smaller);
      Problem p = p_;
      p.*size = smaller;
      add(p);
    };
    for (Index extra = 0; extra < 3; ++extra) attempt(least + extra);
    for (Index less = n / 2; less > 0; less /= 2) attempt(n - less);
  }

  // Drops columns from the front, and rows where no length says how many there are.
  void fronts() {
    if (p_.lq.empty() && p_.lk.empty()) {
      front(&Problem::n_k, &Origin::j, 0);
      front(&Problem::n_q, &Origin::i, 0);
    }
    front(&Problem::d_qk, &Origin::d_qk, 1);
    front(&Problem::d_v, &Origin::d_v, 1);
  }

  void front(Index Problem::*size, Index Origin::*start, Index least) {
    for (Index less = p_.*size - p_.*size / 2; less > 0; less /= 2) {
      Problem smaller = p_;
      smaller.*size -= less;
      Origin origin;
      origin.*start = less;
      if (smaller.*size >= least) add(smaller, origin);
    }
  }

  const Case& case_;
  const Problem& p_;
  const Inputs& inputs_;
  std::vector<Case> found_;
};

// Widths simpler than `width`: none, zero, its mirror image above zero, half, one less.
std::vector<Index> plainer_widths(Index width) {
  if (width == kUnlimited) return {};
  if (width == 0) return {kUnlimited};
  if (width < 0) return {kUnlimited, 0, -width, width / 2, width + 1};
  return {kUnlimited, 0, width / 2, width - 1};
}

void plainer_lengths(const Case& c, std::vector<Index> Problem::*lengths,
                     std::vector<Case>& found) {
  const std::vector<Index>& now = c.problem.*lengths;
  if (now.empty()) return;
  found.push_back(c);
  (found.back().problem.*lengths).clear();
  for (std::size_t b = 0; b < now.size(); ++b) {
    for (Index less = now[b]; less > 0; less /= 2) {
      found.push_back(c);
      (found.back().problem.*lengths)[b] -= less;
    }
  }
}

void plainer_bands(const Case& c, std::vector<Case>& found) {
  const auto add = [&](Index left, Index right, Align align) {
    found.push_back(c);
    Problem& p = found.back().problem;
    p.left = left;
    p.right = right;
    p.align = align;
    if (p == c.problem) found.pop_back();
  };
  const Problem& p = c.problem;
  if (p.left != kUnlimited || p.right != kUnlimited) add(kUnlimited, kUnlimited, Align::top_left);
  if (p.left != kUnlimited && p.right != kUnlimited) add(kUnlimited, 0, p.align);
  if (p.align == Align::bottom_right) add(p.left, p.right, Align::top_left);
  for (const Index left : plainer_widths(p.left)) add(left, p.right, p.align);
  for (const Index right : plainer_widths(p.right)) add(p.left, right, p.align);
}

void plainer_formats(const Case& c, std::vector<Case>& found) {
  const float power = std::ldexp(1.0f, std::ilogb(c.problem.scale));
  for (const float scale : {1.0f, power}) {
    if (c.problem.scale == 1.0f || c.problem.scale == scale) continue;
    found.push_back(c);
    found.back().problem.scale = scale;
  }
  if (c.problem.out != c.problem.in) {
    found.push_back(c);
    found.back().problem.out = c.problem.in;
  }
  if (c.problem.lse_gradient) {
    found.push_back(c);
    found.back().problem.lse_gradient = false;
    if (auto* inputs = std::get_if<Inputs>(&found.back().data)) inputs->glse = {};
  }
}

}  // namespace

std::vector<Case> smaller_shapes(const Case& c, const Inputs& inputs) {
  return Shapes(c, inputs).all();
}

std::vector<Case> plainer_problems(const Case& c) {
  std::vector<Case> found;
  plainer_lengths(c, &Problem::lq, found);
  plainer_lengths(c, &Problem::lk, found);
  plainer_bands(c, found);
  plainer_formats(c, found);
  return found;
}

}  // namespace attest
