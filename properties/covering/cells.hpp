// cells.hpp - which combinations of so many features have been met.
//
// A cell of strength t is one value for each of t parameters. Covering all cells of strength 3 is
// meeting any three features together at least once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/covering/parameter.hpp"

namespace attest {

inline constexpr int kMostStrength = 4;

class Cells {
 public:
  // Requires: 1 <= strength <= kMostStrength.
  Cells(Pass pass, int strength);

  [[nodiscard]] int strength() const { return strength_; }
  // But for those that a constraint excludes.
  [[nodiscard]] Index total() const { return total_; }
  [[nodiscard]] Index met() const { return total_ - left_; }
  [[nodiscard]] bool all_met() const { return left_ == 0; }
  [[nodiscard]] Index excluded() const { return static_cast<Index>(states_.size()) - total_; }

  // Notes what a case with these features meets; open ones meet nothing. How many were new?
  Index meet(const Features& features);
  // How many would be.
  [[nodiscard]] Index unmet(const Features& features) const;
  // Of these, those that hold the parameter.
  [[nodiscard]] Index unmet_with(const Features& features, Parameter parameter) const;

  // All cells, met or not, excluded or not, are numbered from 0.
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] bool is_unmet(std::size_t cell) const { return states_[cell] == State::unmet; }
  // All but the cell's parameters are open.
  [[nodiscard]] Features features_at(std::size_t cell) const;

 private:
  enum class State : std::uint8_t { unmet, met, excluded };
  // The cells of t parameters: a block of numbers from `first` on.
  struct Block {
    std::array<std::uint8_t, kMostStrength> of{};
    std::array<std::size_t, kMostStrength> stride{};
    std::size_t first = 0;
  };
  static constexpr std::size_t kNoCell = ~std::size_t{0};

  void add_blocks(Block block, int depth, int from);
  [[nodiscard]] std::size_t cell_in(const Block& block, const Features& features) const;

  int strength_;
  std::vector<Block> blocks_;
  std::array<std::vector<std::size_t>, kParameters> blocks_with_;
  std::vector<State> states_;
  Index total_ = 0;
  Index left_ = 0;
};

// "band=causal keys=one over", in the order of the parameters.
[[nodiscard]] std::string text_of(const Features& features);

}  // namespace attest
