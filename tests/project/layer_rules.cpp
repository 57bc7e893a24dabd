#include "tests/project/layer_rules.hpp"

#include <algorithm>
#include <sstream>

#include "tests/project/tokens.hpp"

namespace attest::project {
namespace {

// These may include any layer, and nothing includes them.
constexpr std::string_view kFreeFolders[] = {"tests", "bench", "studies", "examples"};

struct Door {
  std::string_view library;
  std::vector<std::string_view> headers;  // beginnings of header names
  std::string_view place;                 // a folder, a file, or ".cu" for all CUDA sources
};

const Door kDoors[] = {
    {"multiprecision",
     {"boost/multiprecision/", "mpfr", "gmp", "mpfi", "flint", "arb.h", "acb.h", "arf.h", "mag.h"},
     "oracle"},
    {"HDF5", {"hdf5", "H5"}, "fixtures/hdf5_file.cpp"},
    {"RapidCheck", {"rapidcheck"}, "properties/rapidcheck_bridge.hpp"},
    {"OpenSSL", {"openssl/"}, "fixtures/sha256.cpp"},
    {"expat", {"expat"}, "tests/harness/report"},
    {"JSON", {"nlohmann/"}, "harness"},
    {"CLI11", {"CLI/"}, "harness/cli"},
    {"fmt", {"fmt/"}, "harness"},
    {"Boost.Context", {"boost/context/"}, "kernels/machine"},
    {"Random123", {"Random123/"}, "core/random.cpp"},
    {"CUDA", {"cuda", "mma.h", "cooperative_groups", "cublas", "curand", "cutlass/", "nv/"}, ".cu"},
};

bool is_at(std::string_view path, std::string_view place) {
  return path == place || is_below(path, place) || (place == ".cu" && is_cuda(path));
}

bool in_free_folder(std::string_view path) {
  return std::ranges::any_of(kFreeFolders, [&](auto folder) { return is_below(path, folder); });
}

// The layer whose folder holds the file; folders nest, and the innermost one counts.
const Layer* layer_of(const std::vector<Layer>& layers, std::string_view path) {
  const Layer* found = nullptr;
  for (const Layer& layer : layers) {
    if (is_below(path, layer.name) &&
        (found == nullptr || layer.name.size() > found->name.size())) {
      found = &layer;
    }
  }
  return found;
}

// Empty when `file`, a source of layer `from`, may have this include.
std::string include_defect(const std::vector<Layer>& layers, const Layer& from,
                           std::string_view path, const Include& include) {
  if (include.name.empty()) return "an include that names a macro cannot be checked";
  if (const Layer* to = layer_of(layers, include.name)) {
    if (!include.quoted) return "project file <" + include.name + "> belongs in quotes";
    if (to->name == from.name || std::ranges::count(from.uses, to->name) != 0) return {};
    return from.name + " may not include " + to->name + " (\"" + include.name + "\")";
  }
  if (in_free_folder(include.name)) return "nothing includes \"" + include.name + "\"";
  if (include.quoted) return "\"" + include.name + "\" names no layer";
  for (const Door& door : kDoors) {
    const bool matches = std::ranges::any_of(
        door.headers, [&](std::string_view header) { return include.name.starts_with(header); });
    if (matches && !is_at(path, door.place)) {
      return "<" + include.name + ">: the door of " + std::string(door.library) + " is " +
             std::string(door.place);
    }
  }
  return {};
}

// Follows uses from `at`; true when it comes back to a layer on the way.
bool runs_in_a_circle(const std::vector<Layer>& layers, const std::string& at,
                      std::vector<std::string>& way) {
  if (std::ranges::count(way, at) != 0) return true;
  way.push_back(at);
  for (const Layer& layer : layers) {
    if (layer.name != at) continue;
    for (const std::string& use : layer.uses) {
      if (runs_in_a_circle(layers, use, way)) return true;
    }
  }
  way.pop_back();
  return false;
}

}  // namespace

std::vector<Layer> parse_layers(std::string_view text) {
  std::vector<Layer> layers;
  std::istringstream rows{std::string(text)};
  for (std::string row; std::getline(rows, row);) {
    const std::size_t colon = row.find(':');
    if (colon == std::string::npos) continue;
    Layer layer{row.substr(0, colon), {}};
    std::istringstream uses(row.substr(colon + 1));
    for (std::string use; uses >> use;) layer.uses.push_back(use);
    layers.push_back(layer);
  }
  return layers;
}

std::vector<std::string> defects_of(const std::vector<Layer>& layers) {
  std::vector<std::string> defects;
  for (const Layer& layer : layers) {
    if (std::ranges::count(layers, layer.name, &Layer::name) != 1) {
      defects.push_back("layer " + layer.name + " has several rows");
    }
    for (const std::string& use : layer.uses) {
      if (std::ranges::count(layers, use, &Layer::name) == 0) {
        defects.push_back("layer " + layer.name + " uses " + use + ", which has no row");
      }
    }
    std::vector<std::string> way;
    if (runs_in_a_circle(layers, layer.name, way)) {
      defects.push_back("from layer " + layer.name + " the uses run in a circle");
    }
  }
  return defects;
}

std::vector<std::string> include_violations(const std::vector<Layer>& layers,
                                            const ProjectFile& file) {
  if (!is_cpp(file.path) || in_free_folder(file.path)) return {};
  const Layer* from = layer_of(layers, file.path);
  if (from == nullptr) return {file.path + ":1: its folder has no row in LAYERS"};
  std::vector<std::string> violations;
  for (const Include& include : includes_of(file.text)) {
    const std::string defect = include_defect(layers, *from, file.path, include);
    if (!defect.empty()) {
      violations.push_back(file.path + ":" + std::to_string(include.line) + ": " + defect);
    }
  }
  return violations;
}

}  // namespace attest::project
