// global_tensor.hpp - one tensor in the emulated device's memory, and which elements hold a value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/machine/touched_run.hpp"

namespace attest {

class GlobalTensor {
 public:
  // An input starts written and stays as it is: nothing need be kept of it, so `tracked` is false.
  GlobalTensor(std::string name, int id, std::int64_t count, bool tracked);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int id() const { return id_; }  // position among the tensors of a machine
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] bool tracked() const { return tracked_; }

  // By an earlier launch. Requires: tracked().
  [[nodiscard]] bool was_written(std::int64_t element) const {
    return written_[static_cast<std::size_t>(element)];
  }

  // A launch has ended whose blocks touched `runs`. An atomic sum alone gives no element a value.
  void end_launch(std::span<const TouchedRun> runs);

 private:
  std::string name_;
  int id_;
  std::int64_t count_;
  bool tracked_;
  std::vector<bool> written_;
};

}  // namespace attest
