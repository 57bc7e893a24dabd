#include "oracle/doubled_sums.hpp"

#include "oracle/doubled_exp.hpp"

namespace attest {
namespace {

// Calls step with an index and a number of the type to work in: whole lanes, then one by one.
template <class Step>
ATTEST_LANES_INLINE void for_lanes(Index count, const Step& step) {
  const Index whole = count / kLanes * kLanes;
  for (Index n = 0; n < whole; n += kLanes) step(n, Lanes{});
  for (Index n = whole; n < count; ++n) step(n, double{});
}

// A sum, its collected errors, and whether there were any.
template <class X>
struct Chain {
  X sum{};
  X rest{};
  X largest_error{};

  ATTEST_LANES_INLINE void add(const X& term) {
    const Doubled<X> next = two_sum(sum, term);
    sum = next.hi;
    rest = rest + next.lo;
    largest_error = larger(largest_error, magnitude(next.lo));
  }
};

ATTEST_LANES_INLINE void add_products(const Doubled<double>& x, double size, const double* y,
                                      Index columns, double* sum, double* rest, double* sizes) {
  const Doubled<double> halves = halves_of(x.hi);
  for_lanes(columns, [&](Index c, auto y_c) {
    auto s = y_c;
    auto r = y_c;
    auto z = y_c;
    load(y + c, y_c);
    load(sum + c, s);
    load(rest + c, r);
    load(sizes + c, z);
    const auto first = two_sum(s, decltype(s)(y_c * halves.hi));
    const auto second = two_sum(first.hi, decltype(s)(y_c * halves.lo));
    store(second.hi, sum + c);
    store(decltype(s)(r + ((first.lo + second.lo) + y_c * x.lo)), rest + c);
    store(decltype(s)(z + magnitude(y_c) * size), sizes + c);
  });
}

}  // namespace

ATTEST_WIDEST_LANES
DoubledDot dot_in_doubled(const double* x, const double* y, Index columns) {
  Chain<Lanes> many;
  Chain<double> one;
  const Index whole = columns / kLanes * kLanes;
  for (Index c = 0; c < whole; c += kLanes) {
    Lanes a;
    Lanes b;
    load(x + c, a);
    load(y + c, b);
    many.add(a * b);
  }
  if (whole > 0) {
    for (int lane = 0; lane < kLanes; ++lane) one.add(many.sum[lane]);
    one.rest += sum_of(many.rest);
    one.largest_error = larger(one.largest_error, largest_of(many.largest_error));
  }
  for (Index c = whole; c < columns; ++c) one.add(x[c] * y[c]);
  return {two_sum(one.sum, one.rest), one.largest_error == 0};
}

ATTEST_WIDEST_LANES
void DoubledSums::add(std::size_t row, const Doubled<double>& x, double size, const double* y) {
  const std::size_t first = row * columns_;
  add_products(x, size, y, static_cast<Index>(columns_), sum_.data() + first, rest_.data() + first,
               size_.data() + first);
}

ATTEST_WIDEST_LANES
void exp_of_each(const std::vector<Doubled<double>>& z, std::vector<Doubled<double>>& w) {
  const auto count = static_cast<Index>(z.size());
  w.resize(z.size());
  for (Index n = 0; n < count; n += kLanes) {
    // Places beyond the end count as 0.
    const Index here = count - n < kLanes ? count - n : kLanes;
    Doubled<Lanes> lanes{};
    for (Index lane = 0; lane < here; ++lane) {
      lanes.hi[lane] = z[n + lane].hi;
      lanes.lo[lane] = z[n + lane].lo;
    }
    lanes = exp_of(lanes);
    for (Index lane = 0; lane < here; ++lane) w[n + lane] = {lanes.hi[lane], lanes.lo[lane]};
  }
}

}  // namespace attest
