// gate_outputs.hpp - what `attest check` writes for a merge gate: reports for machines and pages, a
// stream of cases, GitHub's own marks, and the comparison with an earlier report.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/cli/json_output.hpp"
#include "harness/report/json_report.hpp"

namespace CLI {
class App;
}

namespace attest {

struct GateOptions {
  std::string json;
  std::string jsonl;
  std::string junit;
  std::string markdown;
  std::string against;
  bool github = false;
};

void add_gate_options(CLI::App& command, GateOptions& options);

class GateOutputs {
 public:
  // Before a long run. Throws Error (usage) where a file would have no place, or the earlier report
  // cannot be read.
  explicit GateOutputs(const GateOptions& options);
  GateOutputs(const GateOutputs&) = delete;
  GateOutputs& operator=(const GateOutputs&) = delete;
  ~GateOutputs();

  // The stream of the page for people.
  [[nodiscard]] std::FILE* page() const { return json_.page(); }
  [[nodiscard]] bool streams_cases() const { return cases_ != nullptr; }
  // One line of the stream, on its way at once. Throws Error (usage) when it cannot be written.
  void write_case(std::string_view line) const;
  // The comparison on the page, then every file. Throws Error (usage).
  void write(const RunDescription& run, const Campaign& campaign) const;

 private:
  void mark_for_github(const RunDescription& run, const Campaign& campaign,
                       const Comparison* comparison) const;

  GateOptions options_;
  JsonOutput json_;
  std::optional<KeptReport> earlier_;
  std::FILE* cases_ = nullptr;
};

}  // namespace attest
