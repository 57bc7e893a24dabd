#include <algorithm>
#include <string>

#include "properties/probing/prober.hpp"
#include "properties/probing/variants.hpp"

namespace attest {
namespace {

constexpr double kFactors[] = {0x1p-8, 0x1p-4, 0x1p-2, 0x1p-1, 0x1p1, 0x1p2, 0x1p4, 0x1p8};

struct Band {
  std::string_view name;
  Index left;
  Index right;
};
constexpr Band kBands[] = {{"none", kUnlimited, kUnlimited},
                           {"causal", kUnlimited, 0},
                           {"left=1", 1, kUnlimited},
                           {"left=1;right=1", 1, 1}};

std::string band_name(const Problem& p) {
  for (const Band& band : kBands) {
    if (band.left == p.left && band.right == p.right) return std::string(band.name);
  }
  std::string name;
  if (p.left != kUnlimited) name = "left=" + std::to_string(p.left);
  if (p.right == kUnlimited) return name;
  return name + (name.empty() ? "" : ";") + "right=" + std::to_string(p.right);
}

bool is_full(const Problem& p) { return p.left == kUnlimited && p.right == kUnlimited; }

std::string factor_name(double factor) {
  if (factor >= 1) return "x" + std::to_string(static_cast<int>(factor));
  return "/" + std::to_string(static_cast<int>(1 / factor));
}

std::string lengths_name(const Problem& p) {
  if (p.lq.empty() && p.lk.empty()) return "full";
  if (p.lk.empty()) return "lq";
  return p.lq.empty() ? "lk" : "both";
}

class Features {
 public:
  explicit Features(Prober& prober) : prober_(prober), own_(prober.problem()) {}

  void probe() {
    band();
    align();
    lengths();
    formats("in");
    formats("out");
    units();
    schedules();
    draws();
    magnitudes();
  }

 private:
  void band() {
    const std::string own = band_name(own_);
    prober_.dimension("mask", own, false, [&](auto add) {
      add(own, [] { return Trial::fails; });
      for (const Band& band : kBands) {
        if (band.name == own) continue;
        add(std::string(band.name), [&] {
          Problem p = own_;
          p.left = band.left;
          p.right = band.right;
          // Without a mask the alignment has no say; bottom-right, the last row sees most keys.
          if (is_full(own_)) p.align = Align::bottom_right;
          return prober_.attempt(p, prober_.values());
        });
      }
    });
  }

  // Where no band and no shape tells them apart the question is idle, and so not asked.
  void align() {
    if (is_full(own_)) return;
    const auto name = [](Align align) { return align == Align::top_left ? "tl" : "br"; };
    prober_.dimension("align", name(own_.align), false, [&](auto add) {
      for (const Align align : {Align::top_left, Align::bottom_right}) {
        add(name(align), [&] {
          Problem p = own_;
          p.align = align;
          return prober_.attempt(p, prober_.values());
        });
      }
    });
  }

  // A length that the failure lacks comes with a row, or key, more than it has, beyond that length:
  // cutting one off would be another size.
  void lengths() {
    const std::string own = lengths_name(own_);
    prober_.dimension("lengths", own, false, [&](auto add) {
      const auto one = [&](bool of_queries, bool of_keys) {
        Problem p = own_;
        set_lengths(p, &Problem::lq, &Problem::n_q, of_queries);
        set_lengths(p, &Problem::lk, &Problem::n_k, of_keys);
        add(lengths_name(p),
            [&] { return prober_.attempt(p, reshaped(prober_.values(), p, Filling::repeated)); });
      };
      one(false, false);
      one(true, false);
      one(false, true);
      one(true, true);
    });
  }

  static void set_lengths(Problem& p, std::vector<Index> Problem::*lengths, Index Problem::*size,
                          bool wanted) {
    if (!wanted) (p.*lengths).clear();
    if (!wanted || !(p.*lengths).empty()) return;
    (p.*lengths).assign(static_cast<std::size_t>(p.batch), p.*size);
    ++(p.*size);
  }

  void formats(std::string_view which) {
    const Format Problem::*const format = which == "in" ? &Problem::in : &Problem::out;
    const Format own = own_.*format;
    prober_.dimension(which, std::string(shape_of(own).name), false, [&](auto add) {
      for (const Format other : {Format::f16, Format::bf16, Format::f32}) {
        add(std::string(shape_of(other).name), [&] {
          Problem p = own_;
          // Both change together where they are the same.
          if (which == "in") p.in = other;
          if (which == "out" || own_.out == own_.in) p.out = other;
          return prober_.attempt(p, converted(prober_.values(), p.in));
        });
      }
    });
  }

  void units() {
    prober_.dimension("unit", std::string(name_of(prober_.failing().unit)), false, [&](auto add) {
      for (const Unit unit : kUnits) {
        if (unit == Unit::device && prober_.failing().unit != Unit::device) continue;
        add(std::string(name_of(unit)), [&] {
          return prober_.attempt({prober_.failing().c, unit, prober_.failing().schedule_seed});
        });
      }
    });
  }

  // Only a failure that needs one has a schedule seed.
  void schedules() {
    if (prober_.failing().schedule_seed == 0) return;
    prober_.dimension(
        "schedule", std::to_string(prober_.failing().schedule_seed), false, [&](auto add) {
          add(std::to_string(prober_.failing().schedule_seed), [] { return Trial::fails; });
          for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
            if (seed == prober_.failing().schedule_seed) continue;
            add(std::to_string(seed), [&] {
              return prober_.attempt({prober_.failing().c, prober_.failing().unit, seed});
            });
          }
        });
  }

  // Ordinary values in place of the failure's own.
  void draws() {
    prober_.dimension("values", "own", false, [&](auto add) {
      add("own", [] { return Trial::fails; });
      for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        add("F0;seed=" + std::to_string(seed), [&] {
          return prober_.attempt({{own_, FamilyData{"F0", seed}},
                                  prober_.failing().unit,
                                  prober_.failing().schedule_seed});
        });
      }
    });
  }

  void magnitudes() {
    prober_.dimension("scale", "x1", false, [&](auto add) {
      by_factors(add, [&](double factor) {
        Problem p = own_;
        p.scale = static_cast<float>(own_.scale * factor);
        return prober_.attempt(p, prober_.values());
      });
    });
    for (const auto& [name, tensor] :
         {std::pair{"size of v", &Inputs::v}, std::pair{"size of dout", &Inputs::dout}}) {
      if ((prober_.values().*tensor).bytes().empty()) continue;
      prober_.dimension(name, "x1", false, [&](auto add) {
        by_factors(add, [&](double factor) {
          Inputs values = prober_.values();
          values.*tensor = scaled(prober_.values().*tensor, factor);
          return prober_.attempt(own_, std::move(values));
        });
      });
    }
  }

  template <class Add, class Try>
  void by_factors(Add add, Try attempt_factor) {
    for (const double factor : kFactors) {
      if (factor == 0x1p1) add("x1", [] { return Trial::fails; });
      add(factor_name(factor), [&] { return attempt_factor(factor); });
    }
  }

  Prober& prober_;
  const Problem& own_;
};

}  // namespace

void probe_features(Prober& prober) { Features(prober).probe(); }

}  // namespace attest
