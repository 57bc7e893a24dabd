// bundle.hpp - a shrunk failure as a folder that needs nothing else, to send to whoever has to mend
// the kernel.
//
//   README.txt       what failed, what the other files are, how to run it again
//   case.txt         the case string
//   bundle.h5        values, outputs, enclosures, budgets term by term (docs/golden-format.md)
//   report.txt       the failing report
//   environment.txt  what made the verdict: versions, build, machine, seeds, declarations
//   reproduce.cpp    of bundled subjects: the kernel on these numbers, as a program
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/case.hpp"
#include "harness/campaign/failure.hpp"

namespace attest {

struct BundlePlan {
  std::filesystem::path folder;        // the bundles' own: one folder each
  std::filesystem::path state_folder;  // where data=sha256 files lie
  std::optional<std::uint64_t> seed;   // of the campaign that met the failure
  OracleMemory oracle;
};

// Before a long run: throws Error (usage) unless `folder` is missing, or a folder without content.
void require_bundle_folder(const std::filesystem::path& folder);

// Written beside and renamed; returns the new folder. HDF5 is for one thread at a time. Throws
// Error (ours) when it cannot be written, or its name is taken.
std::filesystem::path write_bundle(const Failure& failure, const BundlePlan& plan);

// What a bundle says of its run.
struct BundledRun {
  Case c;
  std::string subject;
  std::string unit;
  std::string schedule_seed;
  std::string configuration;  // empty: the subject's own choice
  Calling calling;
};

// Throws Error (usage) where the folder is no bundle, Error (ours) where it is damaged.
[[nodiscard]] BundledRun read_bundle(const std::filesystem::path& folder);

}  // namespace attest
