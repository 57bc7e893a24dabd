// layer_rules.hpp - who may include whom, as LAYERS says, and which third-party library has its one
// door where.
//
// CMake links what LAYERS allows, but a header-only use or a .cu file on a machine without CUDA
// gets past the linker; these rules read every include directive instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/project/project_files.hpp"

namespace attest::project {

struct Layer {
  std::string name;               // also its folder
  std::vector<std::string> uses;  // other layers
};

// "core:\noracle: core\n" - one row a layer.
[[nodiscard]] std::vector<Layer> parse_layers(std::string_view text);

// Rows that are there twice, uses without a row, and circles; empty when the table is sound.
[[nodiscard]] std::vector<std::string> defects_of(const std::vector<Layer>& layers);

// What one file includes against the rules: "path:line: what".
[[nodiscard]] std::vector<std::string> include_violations(const std::vector<Layer>& layers,
                                                          const ProjectFile& file);

}  // namespace attest::project
