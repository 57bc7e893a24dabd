// memory_gpu.cuh - shared and global memory under nvcc: bare pointers.
//
// Bounds, races and traffic are the emulator's business (memory_cpu.hpp) and cost nothing here. The
// verbs and their meaning are the same.
#pragma once

#include <cstdint>
#include <type_traits>

namespace attest {
inline namespace gpu {

// The emulator's lines of a kernel; nothing here.
struct Where {
  __host__ __device__ static constexpr Where current() { return {}; }
};

template <class T>
class SharedSpan {
 public:
  SharedSpan() = default;
  ATTEST_DEVICE explicit SharedSpan(T* data) : data_(data) {}

  ATTEST_DEVICE T load(int i, Where = {}) const { return data_[i]; }
  // Two neighbouring 16-bit values as one register; i must be even.
  ATTEST_DEVICE std::uint32_t load_pair(int i, Where = {}) const {
    return *reinterpret_cast<const std::uint32_t*>(data_ + i);
  }
  ATTEST_DEVICE Chunk<T> load16(int i, Where = {}) const {
    return *reinterpret_cast<const Chunk<T>*>(data_ + i);
  }
  ATTEST_DEVICE void store(int i, T value, Where = {}) const { data_[i] = value; }
  ATTEST_DEVICE void store16(int i, const Chunk<T>& chunk, Where = {}) const {
    *reinterpret_cast<Chunk<T>*>(data_ + i) = chunk;
  }

 private:
  T* data_ = nullptr;
};

// Hands out a block's shared memory, piece after piece, each at a multiple of 16 bytes.
class SharedArena {
 public:
  template <class T>
  ATTEST_DEVICE SharedSpan<T> take(int count, Where = {}) {
    extern __shared__ __align__(16) unsigned char attest_shared_memory[];
    T* const data = reinterpret_cast<T*>(attest_shared_memory + used_);
    used_ += (count * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
    return SharedSpan<T>(data);
  }

 private:
  int used_ = 0;
};

template <class T>
class GlobalSpan {
 public:
  using Value = std::remove_const_t<T>;
  GlobalSpan() = default;
  // `data` is device memory.
  __host__ __device__ explicit GlobalSpan(T* data) : data_(data) {}

  ATTEST_DEVICE Value load(std::int64_t i, Where = {}) const { return data_[i]; }
  ATTEST_DEVICE Chunk<Value> load16(std::int64_t i, Where = {}) const {
    return *reinterpret_cast<const Chunk<Value>*>(data_ + i);
  }
  ATTEST_DEVICE void store(std::int64_t i, Value value, Where = {}) const { data_[i] = value; }
  ATTEST_DEVICE void store16(std::int64_t i, const Chunk<Value>& chunk, Where = {}) const {
    *reinterpret_cast<Chunk<Value>*>(data_ + i) = chunk;
  }
  ATTEST_DEVICE void atomic_add(std::int64_t i, float value, Where = {}) const {
    static_assert(std::is_same_v<T, float>, "only binary32 has an atomic sum");
    atomicAdd(data_ + i, value);
  }

 private:
  T* data_ = nullptr;
};

}  // namespace gpu
}  // namespace attest
