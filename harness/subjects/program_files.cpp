#include "harness/subjects/program_files.hpp"

#include <optional>

namespace attest {
namespace {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none).parent_path();
}

// The first that exists, going upward from `folder`.
std::optional<fs::path> found_above(fs::path folder, const fs::path& name) {
  std::error_code none;
  while (!fs::exists(folder / name, none)) {
    if (folder == folder.parent_path()) return std::nullopt;
    folder = folder.parent_path();
  }
  return folder / name;
}

}  // namespace

fs::path companion_program(std::string_view name) {
  const fs::path beside = program_folder() / name;
  std::error_code none;
  if (fs::exists(beside, none)) return beside;
  return found_above(program_folder(), fs::path("libexec/attest") / name).value_or(beside);
}

fs::path companion_data(std::string_view name) {
  const fs::path data = fs::path("share/attest") / name;
  return found_above(program_folder(), data).value_or(program_folder() / data);
}

}  // namespace attest
