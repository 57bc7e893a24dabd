// content_store.hpp - byte strings by digest, in a folder on disk that anything may happen to.
//
// Nobody relies on what is kept. A file that is missing, cut short, changed or another's is a miss;
// one that cannot be written is not kept. Files are written beside their place and renamed, so that
// a process that is killed at any moment leaves whole files or parts that the next sweep removes,
// and any number of processes may share the folder without a lock.
//
// The folder is bounded: when it grows past its limit the files that were used longest ago go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

class ContentStore {
 public:
  static constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30;

  // Touches nothing yet: the folder is made for the first bytes that are kept.
  explicit ContentStore(std::filesystem::path folder, std::uintmax_t most_bytes = kMostBytes);

  // What was kept under the key, or nothing. A damaged file is removed.
  // Requires: `key` is a SHA-256, 64 hexadecimal digits.
  [[nodiscard]] std::optional<std::vector<std::byte>> find(const std::string& key) const;

  // Keeps the bytes, and drops others if there are too many. Several threads may call it.
  void keep(const std::string& key, std::span<const std::byte> bytes);

  // Why nothing more is kept, in one line; empty while all is well.
  [[nodiscard]] std::string trouble() const;

 private:
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
  void write(const std::string& key, std::span<const std::byte> bytes);
  void sweep();

  std::filesystem::path folder_;
  std::uintmax_t most_bytes_;
  mutable std::mutex mutex_;
  std::string trouble_;
  std::optional<std::uintmax_t> held_;  // bytes in the folder, as the last sweep saw it
  std::uintmax_t since_sweep_ = 0;      // bytes that were kept here since then
};

}  // namespace attest
