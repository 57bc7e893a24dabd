// traffic.hpp - what a run did to its machine's memory, as counted while it ran.
//
// Kernels are run where these are counted; laws and tables read them. The bytes are those that
// lanes asked for, before any cache: an atomic sum reads and writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

struct Traffic {
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;

  friend bool operator==(const Traffic&, const Traffic&) = default;
};

struct TensorTraffic {
  std::string tensor;
  Traffic traffic;

  friend bool operator==(const TensorTraffic&, const TensorTraffic&) = default;
};

struct MemoryUse {
  std::vector<TensorTraffic> traffic;  // of global memory, in the order in which tensors were named
  std::int64_t scratch_bytes = 0;      // of tensors that are neither input nor output
  int shared_bytes = 0;                // on chip: the most that a block of any launch was given

  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

}  // namespace attest
