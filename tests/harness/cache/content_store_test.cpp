// Goal: what is found is what was kept, whatever happens to the folder meanwhile; the folder stays
// within its bound; and a store that cannot work costs nothing but itself.
#include "harness/cache/content_store.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "fixtures/sha256.hpp"
#include "tests/fixtures/own_folder.hpp"

namespace attest::content_store_test {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;

std::string key_of(int n) { return sha256_of_bytes(std::as_bytes(std::span(&n, 1))); }

// Other bytes for each key, and never those of another size.
Bytes content_of(int n, std::size_t size) {
  Bytes bytes(size);
  for (std::size_t at = 0; at < size; ++at) bytes[at] = static_cast<std::byte>(7 * at + 31 * n);
  return bytes;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const fs::path& file : files_in(folder)) bytes += fs::file_size(file);
  return bytes;
}

void age(const fs::path& file, std::chrono::seconds by) {
  fs::last_write_time(file, fs::last_write_time(file) - by);
}

TEST(ContentStore, FindsWhatWasKeptAndNothingElse) {
  const OwnFolder folder;
  ContentStore store(folder.path());
  for (const int n : {0, 1, 70'000}) {
    store.keep(key_of(n), content_of(n, static_cast<std::size_t>(n)));
    EXPECT_EQ(store.find(key_of(n)), content_of(n, static_cast<std::size_t>(n)));
  }
  EXPECT_EQ(store.find(key_of(5)), std::nullopt);
  EXPECT_EQ(files_in(folder.path()).size(), 3U);
  // Another process sees the same.
  EXPECT_EQ(ContentStore(folder.path()).find(key_of(1)), content_of(1, 1));
}

TEST(ContentStore, TouchesNothingBeforeSomethingIsKept) {
  const OwnFolder folder;
  ContentStore store(folder / "deep/inside");
  EXPECT_EQ(store.find(key_of(1)), std::nullopt);
  EXPECT_FALSE(fs::exists(folder / "deep"));
  store.keep(key_of(1), content_of(1, 10));
  EXPECT_EQ(store.find(key_of(1)), content_of(1, 10));
}

TEST(ContentStore, TakesAFileWithAnyByteChangedForAMissAndRemovesIt) {
  const OwnFolder folder;
  ContentStore store(folder.path());
  store.keep(key_of(1), content_of(1, 20));
  const fs::path file = files_in(folder.path()).front();
  for (std::size_t at = 0; at < 190; ++at) {
    store.keep(key_of(1), content_of(1, 20));
    if (at >= fs::file_size(file)) break;
    flip_byte(file, at);
    EXPECT_EQ(store.find(key_of(1)), std::nullopt) << at;
    EXPECT_FALSE(fs::exists(file)) << at;
  }
}

TEST(ContentStore, TakesAFileOfAnyOtherLengthForAMiss) {
  const OwnFolder folder;
  ContentStore store(folder.path());
  store.keep(key_of(1), content_of(1, 20));
  const fs::path file = files_in(folder.path()).front();
  const std::uintmax_t whole = fs::file_size(file);
  for (std::uintmax_t size = 0; size <= whole + 3; ++size) {
    store.keep(key_of(1), content_of(1, 20));
    fs::resize_file(file, size);
    EXPECT_EQ(store.find(key_of(1)).has_value(), size == whole) << size;
  }
}

TEST(ContentStore, TakesAnotherKeysFileForAMiss) {
  const OwnFolder folder;
  ContentStore store(folder.path());
  store.keep(key_of(1), content_of(1, 20));
  const fs::path file = files_in(folder.path()).front();
  fs::copy_file(file, folder / (key_of(2) + file.extension().string()));
  EXPECT_EQ(store.find(key_of(2)), std::nullopt);
  EXPECT_EQ(store.find(key_of(1)), content_of(1, 20));
}

TEST(ContentStore, DropsWhatWasUsedLongestAgoWhenTheFolderIsFull) {
  constexpr int kFiles = 10;
  constexpr std::size_t kSize = 1000;
  const OwnFolder folder;
  const std::uintmax_t limit = kFiles * (kSize + 200);
  ContentStore store(folder.path(), limit);
  for (int n = 0; n < kFiles; ++n) {
    store.keep(key_of(n), content_of(n, kSize));
    for (const fs::path& file : files_in(folder.path())) age(file, std::chrono::seconds(60));
  }
  ASSERT_EQ(files_in(folder.path()).size(), static_cast<std::size_t>(kFiles));
  EXPECT_TRUE(store.find(key_of(0)).has_value());  // kept first, and now used last
  for (int n = kFiles; n < kFiles + 4; ++n) {
    store.keep(key_of(n), content_of(n, kSize));
    EXPECT_LE(bytes_in(folder.path()), limit);
  }
  EXPECT_TRUE(store.find(key_of(0)).has_value());
  EXPECT_FALSE(store.find(key_of(1)).has_value());
  EXPECT_TRUE(store.find(key_of(kFiles + 3)).has_value());
}

TEST(ContentStore, KeepsNothingThatIsLargerThanTheFolderMayBe) {
  const OwnFolder folder;
  ContentStore store(folder.path(), 1000);
  store.keep(key_of(1), content_of(1, 300));
  store.keep(key_of(2), content_of(2, 1000));
  EXPECT_TRUE(store.find(key_of(1)).has_value());
  EXPECT_FALSE(store.find(key_of(2)).has_value());
  EXPECT_EQ(store.trouble(), "");
}

TEST(ContentStore, LeavesTheFilesOfOthersAlone) {
  const OwnFolder folder;
  for (const char* name : {"letter.txt", "short.answer", "0123.answer.part7"}) {
    std::ofstream(folder / name) << std::string(5000, 'x');
    age(folder / name, std::chrono::hours(1000));
  }
  ContentStore store(folder.path(), 1000);
  for (int n = 0; n < 20; ++n) store.keep(key_of(n), content_of(n, 200));
  EXPECT_TRUE(fs::exists(folder / "letter.txt"));
  EXPECT_TRUE(fs::exists(folder / "short.answer"));
  EXPECT_TRUE(fs::exists(folder / "0123.answer.part7"));
  EXPECT_TRUE(store.find(key_of(19)).has_value());
}

TEST(ContentStore, SweepsPartsWhoseWriterIsGone) {
  const OwnFolder folder;
  const fs::path old_part = folder / (key_of(1) + ".answer.part7-1");
  const fs::path young_part = folder / (key_of(2) + ".answer.part8-1");
  for (const fs::path& part : {old_part, young_part}) std::ofstream(part) << "half";
  age(old_part, std::chrono::hours(2));
  ContentStore store(folder.path());
  store.keep(key_of(3), content_of(3, 10));
  EXPECT_FALSE(fs::exists(old_part));
  EXPECT_TRUE(fs::exists(young_part));
}

TEST(ContentStore, GoesOnWithoutAFolderThatCannotBeHad) {
  const OwnFolder folder;
  std::ofstream(folder / "taken") << "a file";
  ContentStore store(folder / "taken");
  EXPECT_EQ(store.find(key_of(1)), std::nullopt);
  EXPECT_EQ(store.trouble(), "");  // nobody has asked for more yet
  store.keep(key_of(1), content_of(1, 10));
  EXPECT_NE(store.trouble().find((folder / "taken").string()), std::string::npos);
  EXPECT_EQ(std::ranges::count(store.trouble(), '\n'), 0);
  store.keep(key_of(1), content_of(1, 10));
  EXPECT_EQ(store.find(key_of(1)), std::nullopt);
}

// Uses keys that the others use, too, in a folder that is always about to be swept.
bool uses_in_turn(const fs::path& folder, int process) {
  constexpr int kKeys = 12;
  ContentStore store(folder, 40'000);
  for (int turn = 0; turn < 300; ++turn) {
    const int n = (turn * (process + 2) + process) % kKeys;
    const std::size_t size = 4000 + 500 * static_cast<std::size_t>(n);
    const auto found = store.find(key_of(n));
    if (found && *found != content_of(n, size)) return false;
    if (!found || turn % 5 == 0) store.keep(key_of(n), content_of(n, size));
  }
  return store.trouble().empty();
}

TEST(ContentStore, ServesSeveralProcessesAtOnce) {
  constexpr int kProcesses = 4;
  const OwnFolder folder;
  for (int n = 0; n < kProcesses; ++n) {
    if (fork() == 0) _exit(uses_in_turn(folder.path(), n) ? 0 : 1);
  }
  for (int n = 0; n < kProcesses; ++n) {
    int status = -1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  for (const fs::path& file : files_in(folder.path())) EXPECT_EQ(file.extension(), ".answer");
}

TEST(ContentStore, ServesSeveralThreadsAtOnce) {
  const OwnFolder folder;
  ContentStore store(folder.path(), 40'000);
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int turn = 0; turn < 200; ++turn) {
        const int n = (turn + thread) % 7;
        store.keep(key_of(n), content_of(n, 5000));
        const auto found = store.find(key_of(n));
        if (found && *found != content_of(n, 5000)) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

// Keeps without end until it is killed.
[[noreturn]] void keep_without_end(const fs::path& folder) {
  ContentStore store(folder);
  for (int n = 0;; n = (n + 1) % 8) store.keep(key_of(n), content_of(n, 400'000));
}

TEST(ContentStore, LosesNoMoreThanTheFileThatAKilledProcessWasWriting) {
  const OwnFolder folder;
  int found = 0;
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) keep_without_end(folder.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(3 + 2 * round));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const ContentStore store(folder.path());
    for (int n = 0; n < 8; ++n) {
      const auto bytes = store.find(key_of(n));
      if (!bytes) continue;
      ++found;
      EXPECT_EQ(*bytes, content_of(n, 400'000));
    }
  }
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace attest::content_store_test
