// failure.hpp - a rejected case, shrunk, with all that a report says about it.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/campaign/check_case.hpp"
#include "properties/needs.hpp"
#include "properties/shrink.hpp"

namespace attest {

// Where a run failed without a law: it crashed or broke the machine's rules.
inline constexpr std::string_view kRunItself = "run";

// How a subject's calls are made, beyond what its name says: options that a replay needs, too.
struct Calling {
  bool isolated = false;
  std::string patience;  // of one call; empty where it is the usual
};

struct Failure {
  const Subject* subject = nullptr;
  Unit unit = Unit::fp32_seq;
  std::uint64_t schedule_seed = 0;  // not 0 only where the case passes with 0
  std::string configuration;        // that failed, where the law tries others than the own choice
  std::string law;                  // or kRunItself
  Case original;
  Shrunk shrunk;
  Needs needs;                // of the smallest case; empty where nobody probed
  std::string smallest_text;  // the smallest case's canonical string
  LawOutcome outcome;         // of the smallest case
  RunOutcome trouble;         // likewise, where the run itself failed
  Calling calling;
  // The law whose report tells of this failure in a line (explaining.hpp); empty: it has its own.
  std::string beside;
};

// What the subject declares for the smallest case, in the configuration that failed.
[[nodiscard]] Numerics numerics_of(const Failure& failure);

// Has the element the bits that stood there before the run?
[[nodiscard]] bool is_unwritten(const ElementJudgement& element);

// The values of any case, files included: `folder` is where data=sha256 files lie.
[[nodiscard]] Inputs inputs_of(const Case& c, const std::filesystem::path& folder);

// Shrinks until the deadline and judges the smallest case once more. Values too large for the case
// string are written beside the counterexample list, in `folder`.
//
// All runs have one schedule seed: 0 if the subject fails `c` under it too, else that of
// `settings`. A case string holds no seed, so a failure that needs none is better, and the list of
// counterexamples, which is replayed under 0, meets it again. Where a seed is needed, only the
// report and its replay command hold it.
// Where settings.configuration is not empty, the law `configurations` tries that one alone; the
// subject's first run is of its own choice, as ever.
// Requires: `law` is a law's name or kRunItself; the subject fails it on `c`, whose values are
// `inputs`, under `settings`.
[[nodiscard]] Failure explain_failure(const Case& c, const Inputs& inputs, const Subject& subject,
                                      const RunSettings& settings, const std::string& law,
                                      const std::filesystem::path& folder,
                                      std::chrono::steady_clock::time_point deadline,
                                      const OracleMemory& oracle = {});

// The failure of `told`'s subject on `c` under another law, told by the smallest case of `told`;
// nothing where the law does not reject that case.
[[nodiscard]] std::optional<Failure> explain_by(const Failure& told, const Case& c,
                                                const std::string& law,
                                                const std::filesystem::path& folder,
                                                const OracleMemory& oracle = {});

// What the smallest case still needs to fail, by probing until the deadline.
[[nodiscard]] Needs probe_needs(const Failure& failure, const std::filesystem::path& folder,
                                std::chrono::steady_clock::time_point deadline,
                                const OracleMemory& oracle = {});

// Both, one after the other: of the time until the deadline, probing keeps a quarter.
[[nodiscard]] Failure shrink_and_probe(const Case& c, const Inputs& inputs, const Subject& subject,
                                       const RunSettings& settings, const std::string& law,
                                       const std::filesystem::path& folder,
                                       std::chrono::steady_clock::duration time,
                                       const OracleMemory& oracle = {});

}  // namespace attest
