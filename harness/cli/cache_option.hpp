// cache_option.hpp - where answers of the oracle are kept between runs, as users say it.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "harness/cache/oracle_memory.hpp"

namespace attest {

// --cache and --no-cache of one command.
struct CacheOption {
  std::string folder;
  bool refused = false;
};

void add_cache_option(CLI::App& command, CacheOption& option);

// The folder that the option, else ATTEST_CACHE_DIR (empty: none), else XDG_CACHE_HOME, else HOME
// names; nothing where answers are not to be kept.
[[nodiscard]] std::optional<std::filesystem::path> cache_folder(const CacheOption& option);

// Open while a command runs. A folder that cannot be used costs a line on standard error at the
// end, and nothing else.
class KeptAnswers {
 public:
  explicit KeptAnswers(const CacheOption& option);
  KeptAnswers(const KeptAnswers&) = delete;
  KeptAnswers& operator=(const KeptAnswers&) = delete;
  ~KeptAnswers();

  [[nodiscard]] OracleMemory oracle() const;

 private:
  std::unique_ptr<ContentStore> store_;
};

}  // namespace attest
