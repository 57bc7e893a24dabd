#include <vector>

#include "properties/probing/prober.hpp"
#include "properties/probing/variants.hpp"

namespace attest {
namespace {

// Around the sizes of tiles, warps and chunks, where failures of kernels begin and end.
constexpr Index kSizes[] = {0,  1,  2,  3,  4,  7,  8,  9,   15,  16,  17,
                            31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 256};
constexpr Index kHeadDims[] = {1, 2, 3, 4, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256};
constexpr Index kFewSizes[] = {1, 2, 3, 4, 8};

// The list, and the sizes beside the failure's own.
template <std::size_t kCount>
std::vector<Index> around(const Index (&list)[kCount], Index own) {
  std::vector<Index> all(std::begin(list), std::end(list));
  for (const Index beside : {own - 1, own, own + 1}) {
    if (beside >= list[0]) all.push_back(beside);
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

class Sizes {
 public:
  explicit Sizes(Prober& prober) : prober_(prober), own_(prober.problem()) {}

  void probe() {
    keys();
    sizes("nq", &Problem::n_q, kSizes);
    sizes("dqk", &Problem::d_qk, kHeadDims);
    sizes("dv", &Problem::d_v, kHeadDims);
    groups();
    sizes("hk", &Problem::heads_k, kFewSizes);
    sizes("batch", &Problem::batch, kFewSizes);
  }

 private:
  template <std::size_t kCount>
  void sizes(std::string_view name, Index Problem::*size, const Index (&list)[kCount]) {
    prober_.dimension(name, std::to_string(own_.*size), true, [&](auto add) {
      for (const Index value : around(list, own_.*size)) {
        add(std::to_string(value), [&] { return attempt_resized(size, value); });
      }
    });
  }

  Trial attempt_resized(Index Problem::*size, Index value) {
    Problem p = with_size(own_, size, value);
    if (size == &Problem::heads_k) p.heads_q = value * (own_.heads_q / own_.heads_k);
    return prober_.attempt_shape(p);
  }

  void keys() {
    prober_.dimension("nk", std::to_string(own_.n_k), true, [&](auto add) {
      Index passing = -1;  // the largest below the smallest that fails
      Index failing = -1;
      const auto one = [&](Index value) {
        const Trial trial =
            add(std::to_string(value), [&] { return attempt_resized(&Problem::n_k, value); });
        if (trial == Trial::fails && (failing < 0 || value < failing)) failing = value;
        if (trial != Trial::fails && failing < 0) passing = value;
      };
      for (const Index value : around(kSizes, own_.n_k)) one(value);
      // Failures need not be monotone in nk: what halving finds is an edge, perhaps not the only
      // one.
      while (failing - passing > 1 && passing >= 0 && !prober_.out_of_time()) {
        const Index middle = passing + (failing - passing) / 2;
        const Trial trial =
            add(std::to_string(middle), [&] { return attempt_resized(&Problem::n_k, middle); });
        (trial == Trial::fails ? failing : passing) = middle;
      }
    });
  }

  void groups() {
    const Index own = own_.heads_q / own_.heads_k;
    prober_.dimension("hq/hk", std::to_string(own), true, [&](auto add) {
      for (const Index group : around(kFewSizes, own)) {
        add(std::to_string(group), [&] {
          Problem p = own_;
          p.heads_q = group * p.heads_k;
          return prober_.attempt_shape(p);
        });
      }
    });
  }

  Prober& prober_;
  const Problem& own_;
};

}  // namespace

void probe_sizes(Prober& prober) { Sizes(prober).probe(); }

}  // namespace attest
