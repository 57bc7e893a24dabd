#include "harness/cli/cache_option.hpp"

#include <cstdio>
#include <cstdlib>

namespace attest {
namespace {

std::filesystem::path in_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

void add_cache_option(CLI::App& command, CacheOption& option) {
  auto* folder = command.add_option("--cache", option.folder,
                                    "where dear answers of the oracle are kept between runs\n"
                                    "[$ATTEST_CACHE_DIR, else $XDG_CACHE_HOME/attest, else\n"
                                    "~/.cache/attest; at most 1 GiB]");
  command.add_flag("--no-cache", option.refused, "neither read nor keep them")->excludes(folder);
}

std::optional<std::filesystem::path> cache_folder(const CacheOption& option) {
  if (option.refused) return std::nullopt;
  if (!option.folder.empty()) return option.folder;
  if (const char* own = std::getenv("ATTEST_CACHE_DIR")) {
    if (*own == '\0') return std::nullopt;
    return own;
  }
  // Relative ones are invalid, says the XDG specification.
  const std::filesystem::path of_user = in_environment("XDG_CACHE_HOME");
  if (of_user.is_absolute()) return of_user / "attest";
  const std::filesystem::path home = in_environment("HOME");
  if (home.is_absolute()) return home / ".cache" / "attest";
  return std::nullopt;
}

KeptAnswers::KeptAnswers(const CacheOption& option) {
  if (const auto folder = cache_folder(option)) store_ = std::make_unique<ContentStore>(*folder);
}

KeptAnswers::~KeptAnswers() {
  if (!store_ || store_->trouble().empty()) return;
  std::fprintf(stderr, "attest: answers are not kept: %s\n", store_->trouble().c_str());
}

OracleMemory KeptAnswers::oracle() const { return store_ ? OracleMemory(*store_) : OracleMemory(); }

}  // namespace attest
