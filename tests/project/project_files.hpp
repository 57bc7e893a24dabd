// project_files.hpp - the files that the project's rules are about.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attest::project {

struct ProjectFile {
  std::string path;  // from the root, with slashes
  std::string text;
};

// Every file below `root`, in the order of paths, without what a build or a version control system
// keeps there: hidden folders (but .ci) and folders that hold a CMakeCache.txt.
[[nodiscard]] std::vector<ProjectFile> files_below(const std::filesystem::path& root);

// The project's own files, read once.
[[nodiscard]] const std::vector<ProjectFile>& project_files();

// The text of one of them; a missing file is an exception, which a test reports.
[[nodiscard]] const std::string& text_of(std::string_view path);

[[nodiscard]] bool is_cpp(std::string_view path);   // .hpp .cpp .h .c .cu .cuh
[[nodiscard]] bool is_cuda(std::string_view path);  // .cu .cuh

// "docs/x.md" begins with the folder "docs", "docsx/y" does not.
[[nodiscard]] bool is_below(std::string_view path, std::string_view folder);

// One violation a line, for a failing assertion.
[[nodiscard]] std::string lines(const std::vector<std::string>& violations);

}  // namespace attest::project
