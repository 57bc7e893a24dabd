// goldens.hpp - stored cases in a campaign: making, loading and checking them against the oracle.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fixtures/golden_file.hpp"
#include "harness/campaign/refine.hpp"

namespace attest {

// The folder of the golden files: ATTEST_GOLDEN_DIR of the environment, else the one that belongs
// to the running program (harness/subjects/program_files.hpp).
[[nodiscard]] std::filesystem::path golden_folder();

struct NamedGolden {
  std::string name;  // of the file, without ".h5"
  Golden golden;
};

// Every golden of the folder, sorted by name, after its MANIFEST was verified. Throws Error (ours).
[[nodiscard]] std::vector<NamedGolden> load_goldens(const std::filesystem::path& folder);

// The oracle's answer today, gradients included; throws Error (ours) where it contradicts the
// stored one: another class, or enclosures that do not meet.
[[nodiscard]] Exact confirmed_answer(const NamedGolden& golden, const OracleMemory& oracle = {});

// Makes every golden of the table anew and writes files and MANIFEST. The same bytes each time.
void make_goldens(const std::filesystem::path& folder);

// Throws Error (ours) where a flagged canary is not rejected by at least one law, or where its
// control, or canary/none if it takes the case, is not accepted.
void verify_flags(const NamedGolden& golden);

}  // namespace attest
