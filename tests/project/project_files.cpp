#include "tests/project/project_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace attest::project {
namespace {

namespace fs = std::filesystem;

bool is_foreign_folder(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return (name.front() == '.' && name != ".ci") || fs::exists(folder / "CMakeCache.txt");
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool ends_with_one_of(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

std::vector<ProjectFile> files_below(const fs::path& root) {
  std::vector<ProjectFile> files;
  for (auto entry = fs::recursive_directory_iterator(root);
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory()) {
      if (is_foreign_folder(entry->path())) entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files.push_back(
          {entry->path().lexically_relative(root).generic_string(), read(entry->path())});
    }
  }
  std::ranges::sort(files, {}, &ProjectFile::path);
  return files;
}

const std::vector<ProjectFile>& project_files() {
  static const std::vector<ProjectFile> files = files_below(ATTEST_SOURCE_DIR);
  return files;
}

const std::string& text_of(std::string_view path) {
  const auto file = std::ranges::find(project_files(), path, &ProjectFile::path);
  if (file == project_files().end()) throw std::runtime_error("no file " + std::string(path));
  return file->text;
}

bool is_cuda(std::string_view path) { return ends_with_one_of(path, {".cu", ".cuh"}); }

bool is_cpp(std::string_view path) {
  return is_cuda(path) || ends_with_one_of(path, {".hpp", ".cpp", ".h", ".c"});
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string lines(const std::vector<std::string>& violations) {
  std::string text;
  for (const std::string& violation : violations) text += "\n  " + violation;
  return text;
}

}  // namespace attest::project
