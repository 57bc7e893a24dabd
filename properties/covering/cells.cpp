#include "properties/covering/cells.hpp"

#include <algorithm>

#include "core/contract.hpp"
#include "properties/covering/constraint.hpp"

namespace attest {
namespace {

std::size_t values_of(int parameter) {
  return names_of(static_cast<Parameter>(parameter)).values.size();
}

}  // namespace

Cells::Cells(Pass pass, int strength) : strength_(strength) {
  ATTEST_EXPECTS(strength >= 1 && strength <= kMostStrength);
  add_blocks({}, 0, 0);
  for (std::size_t cell = 0; cell < states_.size(); ++cell) {
    if (constraint_on(pass, features_at(cell)) != nullptr) {
      states_[cell] = State::excluded;
    } else {
      ++total_;
    }
  }
  left_ = total_;
}

void Cells::add_blocks(Block block, int depth, int from) {
  if (depth < strength_) {
    for (int next = from; next < kParameters; ++next) {
      block.of[static_cast<std::size_t>(depth)] = static_cast<std::uint8_t>(next);
      add_blocks(block, depth + 1, next + 1);
    }
    return;
  }
  block.first = states_.size();
  std::size_t size = 1;
  for (int n = 0; n < strength_; ++n) {
    block.stride[static_cast<std::size_t>(n)] = size;
    size *= values_of(block.of[static_cast<std::size_t>(n)]);
    blocks_with_[block.of[static_cast<std::size_t>(n)]].push_back(blocks_.size());
  }
  blocks_.push_back(block);
  states_.resize(states_.size() + size, State::unmet);
}

std::size_t Cells::cell_in(const Block& block, const Features& features) const {
  std::size_t cell = block.first;
  for (std::size_t n = 0; n < static_cast<std::size_t>(strength_); ++n) {
    const std::int8_t value = features[block.of[n]];
    if (value == kOpen) return kNoCell;
    cell += block.stride[n] * static_cast<std::size_t>(value);
  }
  return cell;
}

Index Cells::meet(const Features& features) {
  const Index before = left_;
  for (const Block& block : blocks_) {
    const std::size_t cell = cell_in(block, features);
    if (cell == kNoCell || states_[cell] != State::unmet) continue;
    states_[cell] = State::met;
    --left_;
  }
  return before - left_;
}

Index Cells::unmet(const Features& features) const {
  return std::ranges::count_if(blocks_, [&](const Block& block) {
    const std::size_t cell = cell_in(block, features);
    return cell != kNoCell && is_unmet(cell);
  });
}

Index Cells::unmet_with(const Features& features, Parameter parameter) const {
  return std::ranges::count_if(blocks_with_[parameter], [&](std::size_t n) {
    const std::size_t cell = cell_in(blocks_[n], features);
    return cell != kNoCell && is_unmet(cell);
  });
}

Features Cells::features_at(std::size_t cell) const {
  const auto next = std::ranges::upper_bound(blocks_, cell, {}, &Block::first);
  const Block& block = *std::prev(next);
  Features features = all_open();
  std::size_t rest = cell - block.first;
  for (std::size_t n = 0; n < static_cast<std::size_t>(strength_); ++n) {
    const std::size_t values = values_of(block.of[n]);
    features[block.of[n]] = static_cast<std::int8_t>(rest % values);
    rest /= values;
  }
  return features;
}

std::string text_of(const Features& features) {
  std::string text;
  for (std::size_t n = 0; n < features.size(); ++n) {
    if (features[n] == kOpen) continue;
    const ParameterNames& names = names_of(static_cast<Parameter>(n));
    if (!text.empty()) text += ", ";
    text += std::string(names.name) + "=";
    text += names.values[static_cast<std::size_t>(features[n])];
  }
  return text;
}

}  // namespace attest
