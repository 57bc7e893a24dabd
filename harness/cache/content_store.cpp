#include "harness/cache/content_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>

#include "core/contract.hpp"
#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "fixtures/sha256.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// A file is kMagic, the key, the content, and the digest of all that.
constexpr std::string_view kMagic = "attest kept answer 1\n";
constexpr std::size_t kDigest = 64;
constexpr std::size_t kFrame = kMagic.size() + 2 * kDigest;
constexpr std::string_view kSuffix = ".answer";
constexpr std::string_view kPart = ".answer.part";  // then whatever tells writers apart
// No write takes longer, so an older part has lost its writer.
constexpr std::chrono::hours kOldPart{1};

std::span<const std::byte> bytes_of_text(std::string_view text) {
  return std::as_bytes(std::span(text));
}

void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

bool equal(std::span<const std::byte> bytes, std::string_view text) {
  return std::ranges::equal(bytes, bytes_of_text(text));
}

// The whole file, marked as used just now; nothing where it cannot be read.
std::optional<std::vector<std::byte>> read_used(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct stat status {};
  std::vector<std::byte> bytes;
  std::size_t got = 0;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    bytes.resize(static_cast<std::size_t>(status.st_size));
    while (got < bytes.size()) {
      const ssize_t more = read(descriptor, bytes.data() + got, bytes.size() - got);
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    constexpr timespec now[] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
    futimens(descriptor, now);
  }
  close(descriptor);
  bytes.resize(got);
  return bytes;
}

bool is_whole(std::span<const std::byte> file, const std::string& key) {
  if (file.size() < kFrame) return false;
  const auto signed_part = file.first(file.size() - kDigest);
  return equal(file.first(kMagic.size()), kMagic) &&
         equal(file.subspan(kMagic.size(), kDigest), key) &&
         equal(file.last(kDigest), sha256_of_bytes(signed_part));
}

struct Held {
  fs::path path;
  std::uintmax_t bytes;
  fs::file_time_type used;
  bool is_part;
};

// Our own files only: whoever names a folder with other things in it does not lose them.
std::vector<Held> held_in(const fs::path& folder) {
  std::vector<Held> held;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::string_view rest = std::string_view(name).substr(std::min(kDigest, name.size()));
    const bool is_part = rest.starts_with(kPart);
    if (!is_sha256(name.substr(0, kDigest)) || (rest != kSuffix && !is_part)) continue;
    std::error_code gone;  // another process may remove what this one looks at
    const std::uintmax_t bytes = at->file_size(gone);
    if (gone) continue;
    const fs::file_time_type used = at->last_write_time(gone);
    if (!gone) held.push_back({at->path(), bytes, used, is_part});
  }
  return held;
}

}  // namespace

ContentStore::ContentStore(fs::path folder, std::uintmax_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {}

fs::path ContentStore::file_of(const std::string& key) const {
  ATTEST_EXPECTS(is_sha256(key));
  return folder_ / (key + std::string(kSuffix));
}

std::optional<std::vector<std::byte>> ContentStore::find(const std::string& key) const {
  const fs::path file = file_of(key);
  auto bytes = read_used(file);
  if (!bytes) return std::nullopt;
  if (!is_whole(*bytes, key)) {
    std::error_code ignored;
    fs::remove(file, ignored);
    return std::nullopt;
  }
  bytes->resize(bytes->size() - kDigest);
  bytes->erase(bytes->begin(), bytes->begin() + kMagic.size() + kDigest);
  return bytes;
}

void ContentStore::keep(const std::string& key, std::span<const std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  if (!trouble_.empty() || bytes.size() + kFrame > most_bytes_) return;
  try {
    write(key, bytes);
  } catch (const Error& error) {
    trouble_ = error.what();
    return;
  }
  since_sweep_ += bytes.size() + kFrame;
  // Other processes write, too: the folder is looked at again before they can have done much.
  if (!held_ || *held_ + since_sweep_ > most_bytes_ || since_sweep_ > most_bytes_ / 16) sweep();
}

std::string ContentStore::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void ContentStore::write(const std::string& key, std::span<const std::byte> bytes) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) {
    throw Error(Blame::ours, "folder " + folder_.string() + " cannot be made: " + error.message());
  }
  std::vector<std::byte> file;
  file.reserve(bytes.size() + kFrame);
  append(file, bytes_of_text(kMagic));
  append(file, bytes_of_text(key));
  append(file, bytes);
  append(file, bytes_of_text(sha256_of_bytes(file)));
  replace_file(file_of(key), file);
}

void ContentStore::sweep() {
  std::vector<Held> held = held_in(folder_);
  std::ranges::sort(held, {}, &Held::used);  // longest ago first
  std::uintmax_t bytes = 0;
  for (const Held& one : held) bytes += one.bytes;
  const auto now = fs::file_time_type::clock::now();
  const std::uintmax_t aim = bytes > most_bytes_ ? most_bytes_ / 8 * 7 : most_bytes_;
  for (const Held& one : held) {
    const bool lost = one.is_part && now - one.used > kOldPart;
    if (!lost && (one.is_part || bytes <= aim)) continue;
    std::error_code ignored;  // what another process has just removed is gone as well
    fs::remove(one.path, ignored);
    bytes -= one.bytes;
  }
  held_ = bytes;
  since_sweep_ = 0;
}

}  // namespace attest
